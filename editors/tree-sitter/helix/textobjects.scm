(clause) @function.around
(clause body: (_) @function.inside)
(procedure) @function.around
(scene) @class.around
(arguments (_) @parameter.inside)
(comment) @comment.around
