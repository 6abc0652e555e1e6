//! The types of an expression, and the errors of one that has none.

mod calls;
mod literals;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use literals::literal;

use super::ast::{Expr, Fold, Kind, Select};
use super::declarations::{Declarations, Overload, named_type};
use super::deviation::Check;
use super::issue::Issue;
use super::schema_types::Declared;
use super::types::{Type, Unifier};

/// What an expression can name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Environment {
    pub(super) variables: BTreeMap<String, Type>,
    /// The fields of objects by the name of their type.
    pub(super) objects: HashMap<Arc<str>, BTreeMap<String, Type>>,
    /// What a fault does not check.
    pub(super) unchecked: Vec<Check>,
}

impl Environment {
    pub(crate) fn declare(&mut self, name: &str, ty: Type) {
        self.variables.insert(name.to_owned(), ty);
    }

    /// Declares a variable with the type of a schema.
    pub(crate) fn declare_object(&mut self, name: &str, declared: &Declared) {
        self.objects.extend(declared.environment(&[]).objects);
        self.declare(name, declared.ty());
    }

    /// Declares a variable with these fields.
    pub(crate) fn declare_fields(&mut self, name: &str, type_name: &str, fields: BTreeMap<String, Type>) {
        self.objects.insert(Arc::from(type_name), fields);
        self.declare(name, Type::object(type_name));
    }
}

/// The types of nodes, and the signatures of calls, by the identity of the node.
#[derive(Debug, Default)]
pub(crate) struct Checked {
    pub(super) types: Vec<Type>,
    pub(super) overloads: HashMap<usize, Vec<Overload>>,
    /// The variables that the expression reads.
    pub(super) reads: HashSet<String>,
}

/// Checks an expression, and resolves names with dots.
pub(super) fn check(
    expr: &mut Expr,
    nodes: usize,
    environment: &Environment,
    declarations: &Declarations,
) -> Result<Checked, Vec<Issue>> {
    let mut checker = Checker {
        environment,
        declarations,
        is_mixed: false,
        scopes: Vec::new(),
        unifier: Unifier::default(),
        fresh: 0,
        issues: Vec::new(),
        checked: Checked { types: vec![Type::Dyn; nodes], ..Checked::default() },
    };
    checker.check(expr);
    if !checker.issues.is_empty() {
        checker.issues.sort_by_key(|issue| issue.at);
        return Err(checker.issues);
    }
    let Checker { mut checked, unifier, .. } = checker;
    for ty in &mut checked.types {
        *ty = unifier.resolve(ty, true);
    }
    for overloads in checked.overloads.values_mut() {
        for arg in overloads.iter_mut().flat_map(|overload| &mut overload.args) {
            *arg = unifier.resolve(arg, true);
        }
    }
    Ok(checked)
}

struct Checker<'a> {
    environment: &'a Environment,
    declarations: &'a Declarations,
    /// Whether lists can be mixed: those of `format` are.
    is_mixed: bool,
    /// The variables of macros.
    scopes: Vec<(String, Type)>,
    unifier: Unifier,
    /// The number of fresh type variables.
    fresh: usize,
    issues: Vec<Issue>,
    checked: Checked,
}

impl Checker<'_> {
    fn fail(&mut self, at: usize, message: String) -> Type {
        self.issues.push(Issue::new(at, message));
        Type::Dyn
    }

    fn mismatch(&mut self, at: usize, expected: &Type, found: &Type) -> Type {
        let (expected, found) = (self.unifier.resolve(expected, true), self.unifier.resolve(found, true));
        self.fail(at, format!("expected type '{expected}' but found '{found}'"))
    }

    fn skips(&self, check: Check) -> bool {
        self.environment.unchecked.contains(&check)
    }

    fn fresh(&mut self) -> Type {
        self.fresh += 1;
        Type::Parameter(Arc::from(format!("#{}", self.fresh)))
    }

    fn assign(&mut self, from: &Type, to: &Type) -> bool {
        self.unifier.assign(std::slice::from_ref(from), std::slice::from_ref(to))
    }

    fn check(&mut self, expr: &mut Expr) -> Type {
        let at = expr.at;
        if let Some(ty) = self.qualified(expr) {
            self.checked.types[expr.id] = ty.clone();
            return ty;
        }
        let ty = match &mut expr.kind {
            Kind::Literal(value) => literal(value),
            Kind::Ident(name) => {
                let name = name.clone();
                if self.skips(Check::Variables) {
                    Type::Dyn
                } else {
                    self.fail(at, format!("undeclared reference to '{name}' (in container '')"))
                }
            }
            Kind::Select(select) => self.select(at, select),
            Kind::Call(call) => self.call(expr.id, at, call),
            Kind::List(items) => self.list(items),
            Kind::Map(entries) => self.map(entries),
            Kind::Message(name, fields) => {
                for (_, value) in fields.iter_mut() {
                    self.check(value);
                }
                if self.environment.objects.contains_key(name.as_str()) {
                    Type::object(name)
                } else {
                    let name = name.clone();
                    self.fail(at, format!("undeclared reference to '{name}' (in container '')"))
                }
            }
            Kind::Fold(fold) => self.fold(fold),
        };
        self.checked.types[expr.id] = ty.clone();
        ty
    }

    /// The type of a variable or type, whose name can have dots.
    fn qualified(&mut self, expr: &mut Expr) -> Option<Type> {
        if let Kind::Ident(name) = &expr.kind {
            if let Some((_, ty)) = self.scopes.iter().rev().find(|(scoped, _)| scoped == name) {
                return Some(ty.clone());
            }
            if let Some(ty) = self.environment.variables.get(name) {
                self.checked.reads.insert(name.clone());
                return Some(ty.clone());
            }
        }
        let name = expr.qualified_name()?;
        let root = name.split('.').next().unwrap_or_default();
        if self.scopes.iter().any(|(scoped, _)| scoped == root) {
            return None;
        }
        let ty = match self.environment.variables.get(&name) {
            Some(ty) => ty.clone(),
            None => Type::Type(Arc::new(named_type(&name)?)),
        };
        expr.kind = Kind::Ident(name);
        Some(ty)
    }

    fn select(&mut self, at: usize, select: &mut Select) -> Type {
        let operand = self.check(&mut select.operand);
        let field = self.field(at, &operand, &select.field);
        if select.test { Type::Bool } else { field }
    }

    fn field(&mut self, at: usize, operand: &Type, name: &str) -> Type {
        let operand = self.unifier.resolve(operand, false);
        match &operand {
            Type::Map(_, value) => Type::clone(value),
            Type::Object(object) => {
                let fields = self.environment.objects.get(object);
                // kube-apiserver also takes a reserved word for the field that escapes it.
                let escaped = format!("__{name}__");
                let found = fields.and_then(|fields| fields.get(name).or_else(|| fields.get(&escaped)));
                match found {
                    Some(ty) => ty.clone(),
                    None if self.skips(Check::Fields) => Type::Dyn,
                    None => self.fail(at, format!("undefined field '{name}'")),
                }
            }
            Type::Optional(value) => {
                let field = self.field(at, &Type::clone(value), name);
                optional(field)
            }
            Type::Dyn | Type::Parameter(_) => Type::Dyn,
            other => self.fail(at, format!("type '{other}' does not support field selection")),
        }
    }

    fn fold(&mut self, fold: &mut Fold) -> Type {
        let range = self.check(&mut fold.range);
        let range = self.unifier.resolve(&range, false);
        let (index, element, single) = match &range {
            Type::List(item) => (Type::Int, Type::clone(item), Type::clone(item)),
            Type::Map(key, value) => (Type::clone(key), Type::clone(value), Type::clone(key)),
            Type::Dyn | Type::Parameter(_) => (Type::Dyn, Type::Dyn, Type::Dyn),
            other => {
                let message = format!(
                    "expression of type '{other}' cannot be range of a comprehension (must be list, map, or dynamic)"
                );
                self.fail(fold.range.at, message);
                (Type::Dyn, Type::Dyn, Type::Dyn)
            }
        };
        let accumulated = self.check(&mut fold.init);
        let depth = self.scopes.len();
        self.scopes.push((fold.accumulator.clone(), accumulated.clone()));
        let outer = self.scopes.len();
        match &fold.second {
            Some(second) => {
                self.scopes.push((fold.variable.clone(), index));
                self.scopes.push((second.clone(), element));
            }
            None => self.scopes.push((fold.variable.clone(), single)),
        }
        let condition = self.check(&mut fold.condition);
        if !self.assign(&condition, &Type::Bool) {
            self.mismatch(fold.condition.at, &Type::Bool, &condition);
        }
        let step = self.check(&mut fold.step);
        if !self.assign(&step, &accumulated) {
            self.mismatch(fold.step.at, &accumulated, &step);
        }
        self.scopes.truncate(outer);
        let result = self.check(&mut fold.result);
        self.scopes.truncate(depth);
        self.unifier.resolve(&result, false)
    }
}

/// Optionals do not nest.
fn optional(ty: Type) -> Type {
    if matches!(ty, Type::Optional(_)) { ty } else { Type::optional(ty) }
}
