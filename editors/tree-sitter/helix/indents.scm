[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (measure)
  (truth)
  (group)
  (arguments)
  (parentheses)
  (value_set)
] @indent

["]" ")" "}"] @outdent
