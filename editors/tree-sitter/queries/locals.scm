; A variable belongs to one clause: its head binds it, or a receive, or the answer to an ask.
(clause) @local.scope
(clause_head (variable) @local.definition)
(ask answer: (variable) @local.definition)
(receive message: (message arguments: (arguments (variable) @local.definition)))
(receive from: (address (variable) @local.definition))

; The parameters of a procedure or truth belong to its body.
(procedure) @local.scope
(truth) @local.scope
(parameters (variable) @local.definition)

; Quantifiers, sums and events bind variables of a property.
(property) @local.scope
(charge) @local.scope
(measure) @local.scope
(quantified) @local.scope
(count) @local.scope
(total) @local.scope
(moment) @local.scope
(range_over variable: (variable) @local.definition)
(total variable: (variable) @local.definition)
(moment variable: (variable) @local.definition)

(variable) @local.reference
