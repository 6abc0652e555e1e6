//! The signatures that calls fit.

use std::sync::Arc;

use jiff::SignedDuration;

use super::{Checker, optional};
use crate::cel::ast::{Call, Expr, Kind};
use crate::cel::declarations::Overload;
use crate::cel::types::Type;
use crate::cel::value::Value;

impl Checker<'_> {
    pub(super) fn call(&mut self, id: usize, at: usize, call: &mut Call) -> Type {
        if call.function == "_?._" {
            let operand = self.check(&mut call.args[0]);
            self.check(&mut call.args[1]);
            let Kind::Literal(Value::Text(name)) = &call.args[1].kind else { return Type::Dyn };
            let field = self.field(at, &operand, &name.clone());
            return optional(field);
        }
        if let Some(target) = &call.target {
            let qualified = target.qualified_name().map(|name| format!("{name}.{}", call.function));
            let is_function = |name: &String| {
                self.declarations.get(name).is_some_and(|all| all.iter().any(|overload| !overload.is_method))
            };
            if let Some(name) = qualified.filter(is_function) {
                call.function = name;
                call.target = None;
            }
        }
        let receiver = call.target.as_mut().map(|target| self.check(target));
        let is_method = receiver.is_some();
        let positions: Vec<usize> = call.args.iter().map(|arg| arg.at).collect();
        let was_mixed = self.is_mixed;
        self.is_mixed |= call.function == "format";
        let args: Vec<Type> = call.args.iter_mut().map(|arg| self.check(arg)).collect();
        self.is_mixed = was_mixed;
        let args: Vec<Type> = receiver.into_iter().chain(args).collect();
        let Some(overloads) = self.declarations.get(&call.function) else {
            return self.fail(at, format!("undeclared reference to '{}' (in container '')", call.function));
        };
        if matches!(call.function.as_str(), "_&&_" | "_||_") {
            for (arg, at) in args.iter().zip(positions) {
                if !self.assign(arg, &Type::Bool) {
                    self.mismatch(at, &Type::Bool, arg);
                }
            }
            self.checked.overloads.insert(id, overloads.clone());
            return Type::Bool;
        }
        let result = self.overload(id, at, &call.function, is_method, &args, overloads);
        if call.function == "sum" {
            self.zero(id, call);
        }
        result
    }

    /// The result of the signatures that fit.
    fn overload(
        &mut self,
        id: usize,
        at: usize,
        name: &str,
        is_method: bool,
        args: &[Type],
        overloads: &[Overload],
    ) -> Type {
        let mut result: Option<Type> = None;
        let mut fitting = Vec::new();
        for overload in overloads.iter().filter(|overload| overload.is_method == is_method) {
            self.fresh += 1;
            let number = self.fresh;
            let rename = |name: &str| -> Arc<str> { Arc::from(format!("{name}#{number}")) };
            let expected: Vec<Type> = overload.args.iter().map(|arg| arg.renamed(&rename)).collect();
            if !self.unifier.assign(args, &expected) {
                continue;
            }
            let found = self.unifier.resolve(&overload.result.renamed(&rename), false);
            fitting.push(Overload { is_method, args: expected, result: found.clone() });
            result = Some(match result {
                Some(before) if before != found => Type::Dyn,
                _ => found,
            });
        }
        let Some(result) = result else {
            let mut types: Vec<String> =
                args.iter().map(|arg| self.unifier.resolve(arg, true).to_string()).collect();
            let receiver = if is_method { format!("{}.", types.remove(0)) } else { String::new() };
            let applied = format!("{receiver}({})", types.join(", "));
            return self.fail(at, format!("found no matching overload for '{name}' applied to '{applied}'"));
        };
        self.checked.overloads.insert(id, fitting);
        result
    }

    /// The sum of no items is a zero of the items' type, which only the types know.
    fn zero(&mut self, id: usize, call: &mut Call) {
        let item = match self.checked.overloads.get(&id).map(Vec::as_slice) {
            Some([overload]) => &overload.args[0],
            _ => return,
        };
        let zero = match item {
            Type::List(item) if **item == Type::Double => Value::Double(0.0),
            Type::List(item) if **item == Type::Uint => Value::Uint(0),
            Type::List(item) if **item == Type::Duration => Value::Duration(SignedDuration::ZERO),
            _ => return,
        };
        let at = call.args.len();
        call.args.push(Expr { id: self.checked.types.len(), at, kind: Kind::Literal(zero) });
        self.checked.types.push(Type::Dyn);
    }
}
