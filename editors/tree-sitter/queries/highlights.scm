; Colours for MAP. No two patterns capture the same node, so it does not matter whether an editor prefers the first or the
; last one. `helix/` has the same with the names that Helix gives to captures.

; Words

["cast" "memory" "procedure" "decision" "property"] @keyword
(cost "cost" @keyword)
(measure ["measure" "of"] @keyword)
(truth "truth" @keyword)

(clause_head "agent" @keyword)
(call "agent" @keyword)
(address "agent" @keyword)
(wait ["waitfor" "timeout"] @keyword)
(sequence "then" @keyword)
(choice "or" @keyword)
(parallel "par" @keyword)
(skip) @keyword
(fail) @keyword

(initial "in" @keyword)
(agents_of "count" @function.builtin)
(any_of "in" @keyword)
(fresh) @keyword
(any) @keyword
(alternative "with" @keyword)
(procedure ["with" "probability"] @keyword)
(weighed_range "by" @keyword)
(distribution ["geometric" "binomial"] @function.builtin)
(conditional ["if" "then" "else"] @keyword.conditional)
(or "or" @keyword.operator)
(and "and" @keyword.operator)
(not "not" @keyword.operator)
(product "mod" @keyword.operator)
(minimum "min" @function.builtin)
(maximum "max" @function.builtin)

[
  "always" "eventually" "never" "next" "until" "unless" "precedes" "leadsto" "before" "implies" "possible" "sequence"
  "forall" "exists"
] @keyword
(range_over "in" @keyword)
(in_clause "in" @keyword)
["sends" "receives" "asks" "answers" "times" "out" "to" "from" "done" "failed" "waiting"] @keyword
(ended) @keyword
(count "count" @function.builtin)
(total "total" @function.builtin)
(cost_of "cost" @function.builtin)
(measure_of "measure" @function.builtin)
(sum_of "sum" @function.builtin)
(moment ["first" "last"] @function.builtin)
(cost_of cost: (name) @label)
(measure_of measure: (name) @label)
(sum_of measure: (name) @label)
(mailbox "mailbox" @function.builtin)
["yes" "no"] @boolean

; Names

(scene name: (name) @label)
(property name: (name) @label)
(cost name: (name) @label)
(measure name: (name) @label)
(procedure name: (name) @function)
(truth name: (name) @function)
(ask procedure: (name) @function)
(asks procedure: (name) @function)
(answers procedure: (name) @function)
(answers_of procedure: (name) @function)
(message performative: (name) @function.method)
(pattern performative: (name) @function.method)

(agent) @constant
(role) @type
(variable) @variable
(cell) @property
(self) @variable.builtin
(wildcard) @variable.builtin

; Values

(constant) @string.special.symbol
(integer) @number
(decimal) @number
(string "\"" @string)
(string) @string
(escape) @string.escape

; Signs

(send "=>" @operator)
(receive "<=" @operator)
["=" ":=" "|" ".."] @operator
(comparison operator: _ @operator)
(sum operator: _ @operator)
(product operator: ["*" "/"] @operator)
["(" ")" "[" "]" "{" "}"] @punctuation.bracket
["," ";" ":"] @punctuation.delimiter

; What a file expects of itself, and which warnings it allows, are in comments.
((comment) @comment
  (#not-match? @comment "^//([@]| map: )"))
((comment) @attribute
  (#match? @attribute "^//([@]| map: )"))
