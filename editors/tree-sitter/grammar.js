/**
 * @file MAP, a language for dialogues between agents, for tree-sitter.
 * @license MIT OR Apache-2.0
 *
 * It follows `grammar/map.pest` rule by rule; `differences.md` lists where it accepts more. Three habits of the language
 * shape it:
 *
 * - What reaches "as far as it can" (`waitfor`, `else`, `always`, chains) is right-associative here, so that a conflict
 *   is settled by reading on.
 * - Chains (`then`, `or`, `par`, `and`, ..) are one node with all their links, never nested.
 * - Most words are keywords only where they mean something. The places where a keyword and a name could both stand list
 *   the keyword as a name, too.
 */

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

/** One or more, with commas between. */
const list = rule => seq(rule, repeat(seq(',', rule)));
/** Two or more, with a word between: a chain. */
const chain = (rule, word) => prec.right(seq(rule, repeat1(seq(word, rule))));
/** Words that stand as a name where they would otherwise begin something else. */
const names = ($, ...words) => choice(...words.map(word => alias(word, $.name)));
const constants = ($, ...words) => choice(...words.map(word => alias(word, $.constant)));

module.exports = grammar({
  name: 'map',

  word: $ => $.name,

  extras: $ => [/[ \t\r\n]/, $.comment],

  // Which of these an item begins is known only from the sign behind its first word: `fresh [` begins a scene.
  conflicts: $ => [[$.procedure]],

  supertypes: $ => [$._item, $._operation, $._expression, $._formula],

  inline: $ => [$._subject, $._cast_subject, $._who],

  rules: {
    source_file: $ => repeat($._item),

    _item: $ => choice($.scene, $.cast, $.memory, $.procedure, $.property, $.cost, $.measure, $.truth),

    // Scenes

    scene: $ => seq(field('name', $._scene_name), '[', repeat1($.clause), ']'),
    _scene_name: $ => choice(
      $.name,
      names($, 'cast', 'memory', 'procedure', 'decision', 'property', 'cost', 'measure', 'truth', 'in', 'fresh'),
    ),

    clause: $ => seq(field('head', $.clause_head), '=', field('body', $._operation)),
    clause_head: $ => seq(
      'agent', '(', field('agent', $._who), ',', field('role', $.role),
      repeat(seq(',', field('parameter', $._term))), ')',
    ),
    _who: $ => choice($.agent, $.variable),

    // Operations: `then` binds tightest, then `or`, then `par`.

    _operation: $ => prec.right(choice($.parallel, $._alternatives)),
    parallel: $ => chain($._alternatives, 'par'),
    _alternatives: $ => prec.right(choice($.choice, $._sequence)),
    choice: $ => chain($._sequence, 'or'),
    _sequence: $ => prec.right(choice($.sequence, $._unit)),
    sequence: $ => chain($._unit, 'then'),
    _unit: $ => choice($.group, $.wait, $.call, $.skip, $.fail, $.ask, $.send, $.receive),

    group: $ => seq('(', $._operation, ')'),
    // The operation reaches to the `timeout` of the innermost open `waitfor`; what follows `timeout` is one unit.
    wait: $ => prec.right(seq(
      'waitfor', field('body', $._operation), optional(seq('timeout', field('timeout', $._unit))),
    )),
    call: $ => seq('agent', field('arguments', $.arguments)),
    skip: _ => choice('skip', 'ε'),
    fail: _ => 'fail',
    ask: $ => seq(
      optional(seq(field('answer', $.variable), '=')),
      field('procedure', $.name), field('arguments', $.arguments),
    ),
    send: $ => seq(field('message', $.message), '=>', field('to', $.address)),
    receive: $ => seq(field('message', $.message), '<=', field('from', $.address)),
    message: $ => seq(field('performative', $.name), field('arguments', $.arguments)),
    address: $ => seq('agent', '(', field('agent', $._argument), ',', field('role', $._argument), ')'),
    arguments: $ => seq('(', optional(list($._argument)), ')'),

    // A term where it stands alone, so that `self` and `min` are ordinary names there; an expression otherwise.
    _argument: $ => choice($._expression, $.wildcard, prec(1, constants($, 'self', 'min', 'max', 'if', 'not'))),
    _term: $ => choice($.variable, $.agent, $.role, alias($.name, $.constant), $.integer, $.string, $.wildcard),

    cast: $ => seq('cast', field('subject', $._cast_subject), '=', $._cast_count),
    _cast_count: $ => choice($.any, seq(field('number', $.integer), optional(seq('..', $.any)))),
    any: _ => 'any',
    _cast_subject: $ => choice($.role, $.agent),

    // Memories and procedures

    memory: $ => seq('memory', field('role', $.role), '{', list($.initial), '}'),
    initial: $ => seq(
      field('cell', $.cell),
      choice(
        seq('=', field('value', choice($.self, $.agents_of, $._constant, constants($, 'count')))),
        seq('in', field('domain', $._domain)),
      ),
    ),
    // `count` alone is a constant.
    agents_of: $ => prec(1, seq('count', '(', field('role', $.role), ')')),

    procedure: $ => seq(
      choice('procedure', 'decision'), field('name', $.name), field('parameters', $.parameters),
      optional(seq('with', 'probability', field('probability', $.decimal))),
      optional(field('body', $._body)),
    ),
    parameters: $ => seq('(', optional(list($.variable)), ')'),
    _body: $ => choice($.any_of, $.fresh, repeat1($.alternative)),
    any_of: $ => seq('in', field('domain', $._domain)),
    fresh: _ => 'fresh',
    alternative: $ => seq(
      optional(seq('|', field('guard', $._expression))),
      '=', field('answer', choice($.any_of, $._expression)),
      optional(seq('with', list($.update))),
    ),
    // What an honest agent answers. It changes no cells.
    truth: $ => seq(
      'truth', field('name', $.name), field('parameters', $.parameters), repeat1(alias($.honest, $.alternative)),
    ),
    honest: $ => seq(
      optional(seq('|', field('guard', $._expression))), '=', field('answer', choice($.any_of, $._expression)),
    ),
    update: $ => seq(field('cell', $.cell), ':=', field('value', $._expression)),

    _domain: $ => choice($.value_set, $.range, $.weighed_range, $.role),
    value_set: $ => seq('{', list(choice($._constant, $.weighed)), '}'),
    weighed: $ => seq(field('value', $._constant), ':', field('weight', $.integer)),
    range: $ => seq(field('from', $.integer), '..', field('to', $.integer)),
    weighed_range: $ => seq($.range, 'by', field('weight', choice($.distribution, $._expression))),
    distribution: $ => seq(choice('geometric', 'binomial'), '(', field('probability', $.decimal), ')'),

    // Expressions: comparisons bind tighter than `not`, that tighter than `and`, that tighter than `or`.

    _expression: $ => prec.right(choice(alias($.expression_or, $.or), $._conjunction)),
    expression_or: $ => chain($._conjunction, 'or'),
    _conjunction: $ => prec.right(choice(alias($.expression_and, $.and), $._negation)),
    expression_and: $ => chain($._negation, 'and'),
    _negation: $ => choice(alias($.expression_not, $.not), $._comparison),
    expression_not: $ => seq('not', $._negation),
    _comparison: $ => prec.right(choice($.comparison, $._sum)),
    comparison: $ => prec.right(seq(field('left', $._sum), $._comparison_operator, field('right', $._sum))),
    _comparison_operator: _ => field('operator', choice('==', '!=', '<', '<=', '>', '>=')),
    _sum: $ => prec.right(choice($.sum, $._product)),
    sum: $ => prec.right(seq(field('left', $._sum), field('operator', choice('+', '-')), field('right', $._product))),
    _product: $ => prec.right(choice($.product, $._operand)),
    product: $ => prec.right(seq(
      field('left', $._product), field('operator', choice('*', '/', 'mod')), field('right', $._operand),
    )),
    _operand: $ => choice($.variable, $.cell, $._constant, $.self, $.parentheses, $.conditional, $.minimum, $.maximum),
    parentheses: $ => seq('(', $._expression, ')'),
    conditional: $ => prec.right(seq(
      'if', field('condition', $._expression), 'then', field('then', $._expression), 'else', field('else', $._expression),
    )),
    minimum: $ => seq('min', '(', $._expression, ',', $._expression, ')'),
    maximum: $ => seq('max', '(', $._expression, ',', $._expression, ')'),
    self: _ => 'self',
    _constant: $ => choice($.integer, alias($.name, $.constant), $.agent, $.role, $.string),

    // Properties: comparisons bind tightest, then `not` and `before`, `and`, `or`, `implies`, then `until` and its like,
    // which do not chain. The other operators reach as far as they can.

    property: $ => seq('property', field('name', $.name), ':', field('formula', $._formula)),

    // Costs: the events of a dialogue with their prices.

    cost: $ => seq('cost', field('name', $.name), '{', list($.charge), '}'),
    charge: $ => seq(
      field('event', choice(
        alias($.charged_sends, $.sends), alias($.charged_receives, $.receives), alias($.charged_asks, $.asks),
      )),
      '=', field('price', choice($.integer, $.variable)),
    ),
    charged_sends: $ => seq(
      field('subject', $._bearer), 'sends', field('pattern', $.pattern), 'to', field('to', $._bearer),
    ),
    charged_receives: $ => seq(
      field('subject', $._bearer), 'receives', field('pattern', $.pattern), 'from', field('from', $._bearer),
    ),
    charged_asks: $ => seq(field('subject', $._bearer), 'asks', field('procedure', $.name)),
    _bearer: $ => choice($.agent, $.role, $.wildcard),

    // Measures: expressions of what is read off a run. They have the nodes of other expressions.

    measure: $ => seq(
      'measure', field('name', $.name), optional(seq('of', field('of', alias($.measured_range, $.range_over)))),
      '=', field('value', $._measured),
    ),
    measured_range: $ => seq(field('variable', $.variable), 'in', field('domain', $.role)),
    _measured: $ => prec.right(choice(alias($.measured_or, $.or), $._measured_conjunction)),
    measured_or: $ => chain($._measured_conjunction, 'or'),
    _measured_conjunction: $ => prec.right(choice(alias($.measured_and, $.and), $._measured_negation)),
    measured_and: $ => chain($._measured_negation, 'and'),
    _measured_negation: $ => choice(alias($.measured_not, $.not), $._measured_comparison),
    measured_not: $ => seq('not', $._measured_negation),
    _measured_comparison: $ => prec.right(choice(alias($.measured_comparison, $.comparison), $._measured_sum)),
    measured_comparison: $ => prec.right(seq(
      field('left', $._measured_sum), $._comparison_operator, field('right', $._measured_sum),
    )),
    _measured_sum: $ => prec.right(choice(alias($.measured_sum, $.sum), $._measured_product)),
    measured_sum: $ => prec.right(seq(
      field('left', $._measured_sum), field('operator', choice('+', '-')), field('right', $._measured_product),
    )),
    _measured_product: $ => prec.right(choice(alias($.measured_product, $.product), $._measured_operand)),
    measured_product: $ => prec.right(seq(
      field('left', $._measured_product), field('operator', choice('*', '/', 'mod')),
      field('right', $._measured_operand),
    )),
    _measured_operand: $ => choice(
      $.variable, $._constant, $.cell_of, $.count, $.total, $.moment, $.cost_of, $.measure_of, $.sum_of, $.mailbox,
      $.status, alias($.measured_parentheses, $.parentheses), alias($.measured_conditional, $.conditional),
      alias($.measured_minimum, $.minimum), alias($.measured_maximum, $.maximum),
      constants(
        $, 'count', 'total', 'first', 'last', 'cost', 'measure', 'sum', 'mailbox', 'done', 'failed', 'waiting',
      ),
    ),
    moment: $ => seq(choice('first', 'last'), '(', field('variable', $.variable), ':', $._formula, ')'),
    measured_parentheses: $ => seq('(', $._measured, ')'),
    measured_conditional: $ => prec.right(seq(
      'if', field('condition', $._measured), 'then', field('then', $._measured), 'else', field('else', $._measured),
    )),
    measured_minimum: $ => seq('min', '(', $._measured, ',', $._measured, ')'),
    measured_maximum: $ => seq('max', '(', $._measured, ',', $._measured, ')'),

    _formula: $ => prec.right(choice($.until, $._implication)),
    until: $ => prec.right(seq(
      field('left', $._implication), field('operator', choice('until', 'unless', 'precedes', 'leadsto')),
      field('right', $._implication),
    )),
    _implication: $ => prec.right(choice($.implies, $._disjunction)),
    implies: $ => chain($._disjunction, 'implies'),
    _disjunction: $ => prec.right(choice($.or, $._junction)),
    or: $ => chain($._junction, 'or'),
    _junction: $ => prec.right(choice($.and, $._literal)),
    and: $ => chain($._literal, 'and'),
    _literal: $ => choice(
      $.not, $.before, $.temporal, $.possible, $.quantified, alias($.formula_group, $.parentheses), $._atom,
    ),
    not: $ => seq('not', $._literal),
    before: $ => seq('before', $._literal),
    temporal: $ => seq(field('operator', choice('always', 'eventually', 'never', 'next')), $._formula),
    possible: $ => seq('possible', choice($.event_sequence, $._formula)),
    event_sequence: $ => prec.right(seq('sequence', $._formula, repeat(seq(';', $._formula)))),
    quantified: $ => seq(choice('forall', 'exists'), field('over', $.range_over), ':', $._formula),
    range_over: $ => seq(
      field('variable', $.variable), 'in', field('domain', choice($._domain, $.answers_of)),
    ),
    answers_of: $ => seq(field('procedure', $.name), '(', ')'),
    formula_group: $ => seq('(', $._formula, ')'),

    _atom: $ => choice(
      $.ended, $.status, $.sends, $.receives, $.asks, $.answers, $.times_out, $.in_clause,
      alias($.relation, $.comparison),
    ),
    ended: _ => 'ended',
    status: $ => seq(choice('done', 'failed', 'waiting'), '(', field('subject', $._subject), ')'),
    sends: $ => seq(
      field('subject', $._subject), 'sends', field('pattern', $.pattern), 'to', field('to', $._subject),
    ),
    receives: $ => seq(
      field('subject', $._subject), 'receives', field('pattern', $.pattern), 'from', field('from', $._subject),
    ),
    asks: $ => seq(field('subject', $._subject), 'asks', field('procedure', $.name)),
    answers: $ => seq(
      field('subject', $._subject), 'answers', field('procedure', $.name), field('answer', choice('yes', 'no')),
    ),
    times_out: $ => seq(field('subject', $._subject), 'times', 'out'),
    in_clause: $ => seq(field('subject', $._subject), 'in', field('clause', alias($.name, $.constant))),
    _subject: $ => choice($.agent, $.variable, $.wildcard),
    pattern: $ => seq(field('performative', $.name), field('arguments', alias($.terms, $.arguments))),
    terms: $ => seq('(', optional(list($._term)), ')'),

    relation: $ => seq(field('left', $._quantity), $._comparison_operator, field('right', $._quantity)),
    // `before`, `total`, `cost`, `measure` and `sum` begin something else where a formula may begin, and are constants
    // in front of a comparison.
    _quantity: $ => choice(
      $.count, $.total, $.cost_of, $.measure_of, $.sum_of, $.mailbox, $.cell_of, $.variable, $.integer, $.agent, $.role,
      $.string, alias($.name, $.constant), constants($, 'before', 'total', 'cost', 'measure', 'sum'),
    ),
    count: $ => seq('count', '(', optional(seq(field('over', $.range_over), ':')), $._formula, ')'),
    total: $ => seq('total', '(', field('variable', $.variable), ':', $._formula, ')'),
    cost_of: $ => seq(
      'cost', '(', field('cost', $.name), optional(seq(',', field('payer', choice($.agent, $.role, $.variable)))), ')',
    ),
    measure_of: $ => seq(
      'measure', '(', field('measure', $.name), optional(seq(',', field('agent', $._subject))), ')',
    ),
    sum_of: $ => seq('sum', '(', field('measure', $.name), ')'),
    mailbox: $ => seq('mailbox', '(', field('subject', $._subject), ')'),
    cell_of: $ => seq(field('agent', choice($.agent, $.variable)), field('cell', $.cell)),

    // Words

    variable: _ => /\$[A-Za-z][A-Za-z0-9_]*/,
    agent: _ => /![A-Za-z][A-Za-z0-9_]*/,
    role: _ => /%[A-Za-z][A-Za-z0-9_]*/,
    cell: _ => /@[A-Za-z][A-Za-z0-9_]*/,
    name: _ => /[A-Za-z][A-Za-z0-9_]*/,
    integer: _ => /-?[0-9]+/,
    decimal: _ => /[0-9]+\.[0-9]+/,
    wildcard: _ => '_',
    // A string ends on the line it begins on. The precedence keeps `//` in it from beginning a comment.
    string: $ => seq(
      '"',
      repeat(choice(token.immediate(prec(1, /[^"\\\r\n]+/)), $.escape)),
      token.immediate('"'),
    ),
    escape: _ => token.immediate(/\\(["\\nt]|u\{[0-9A-Fa-f]{1,6}\})/),

    // Comments do not nest.
    comment: _ => token(choice(
      /\/\/[^\n]*/,
      seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'),
    )),
  },
});
