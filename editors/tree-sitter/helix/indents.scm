[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (group)
  (arguments)
  (parentheses)
  (value_set)
] @indent

["]" ")" "}"] @outdent
