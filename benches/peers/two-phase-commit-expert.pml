/* Two-phase commit in SPIN: nobody looks at who has voted, so the coordinator's mailbox is a number of votes of each
 * kind; what it sends goes to all. N voters; -DFAULT: the coordinator whose time runs out tells nobody.
 */
#ifndef N
#define N 2
#endif

mtype = { commit, abort };

bool asked;
short yes, no;      /* in the coordinator's mailbox */
mtype told = 0;     /* in all others' */

/* Nobody reads a vote after the decision. */
#define send(votes) \
  atomic { \
    skip; \
    if \
    :: told == 0 -> votes++ \
    :: else \
    fi \
  }

proctype Coordinator() {
  short awaited = N;

  asked = true;
  do
  :: atomic {
       yes > 0 ->
       yes--;
       awaited--;
       if
       :: awaited == 0 -> told = commit; break
       :: else
       fi
     }
  :: atomic { no > 0 -> yes = 0; no = 0; told = abort; break }
  :: timeout ->
#ifndef FAULT
     atomic { yes = 0; told = abort };
#endif
     break
  od
}

proctype Voter() {
  asked;
  if
  :: send(yes); told != 0
  :: send(no); told == abort
  :: skip; told == abort                            /* crashes */
  fi
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Voter(); i++
    :: else -> break
    od;
    i = 0;
    run Coordinator()
  }
}
