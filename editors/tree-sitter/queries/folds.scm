[
  (scene)
  (clause)
  (memory)
  (procedure)
  (property)
  (cost)
  (measure)
  (group)
  (comment)
] @fold
