[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (measure)
  (group)
  (arguments)
  (parentheses)
  (value_set)
] @indent

["]" ")" "}"] @outdent
