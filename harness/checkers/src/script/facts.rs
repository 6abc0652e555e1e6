//! The shell function that extracts field owners, and the causes of a conflict.

/// `facts` prints a document as lines: `owner MANAGER/OPERATION PATH` for each owned field, and `cause FIELD MESSAGE`
/// for each cause of a refusal. The document must have no blanks, as `send` leaves it.
pub(super) const FUNCTION: &str = r#"facts() { printf '%s\n' "$1" | awk '
  function text(  s, c) {
    for (p++; (c = substr(J, p, 1)) != "\"" && c != ""; p++) { if (c == "\\") c = substr(J, ++p, 1); s = s c }
    p++; return s
  }
  function value(at,  c, k, n) {
    c = substr(J, p, 1)
    if (c == "{" || c == "[") {
      for (p++; (k = substr(J, p, 1)) != "}" && k != "]" && k != ""; n++) {
        if (k == ",") p++
        if (c == "{") { k = text(); p++ } else k = n + 0
        value(at SUBSEP k)
      }
      p++; if (!n) leaf(at, "")
    } else if (c == "\"") leaf(at, text())
    else { for (k = p; p <= length(J) && !index(",]}", substr(J, p, 1)); p++); leaf(at, substr(J, k, p - k)) }
  }
  function leaf(at, v,  s, n, i, t) {
    n = split(at, s, SUBSEP)
    if (s[3] == "causes") { if (s[5] == "field") F[s[4]] = v; if (s[5] == "message") W[s[4]] = v }
    if (s[3] != "managedFields") return
    if (s[5] == "manager") M[s[4]] = v
    if (s[5] == "operation") O[s[4]] = v
    if (s[5] != "fieldsV1") return
    for (i = 6; i <= n; i++) if (s[i] != ".") t = t (t == "" ? "" : "/") s[i]
    E[++e] = s[4]; P[e] = t
  }
  { J = J $0 }
  END {
    p = 1; value("")
    for (i = 1; i <= e; i++) print "owner " M[E[i]] "/" O[E[i]] " " P[i]
    for (i in F) print "cause " F[i] " " W[i]
  }'; }
"#;
