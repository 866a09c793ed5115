[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (group)
  (comment)
] @fold
