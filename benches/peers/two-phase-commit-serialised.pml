/* Two-phase commit with the reductions done by hand: the voters vote in the order of their numbers and hear in that
 * order, and the coordinator counts when all have voted. N voters; -DFAULT: the coordinator whose time runs out tells
 * nobody.
 */
#ifndef N
#define N 2
#endif

mtype = { commit, abort };

short yes, no;      /* in the coordinator's mailbox */
short voted, heard; /* how many voters have */
mtype told = 0;

proctype Coordinator() {
  atomic {
    voted == N ->
    if
    :: yes == N -> told = commit
    :: no > 0 -> told = abort
    :: no == 0 && yes < N ->                        /* time runs out */
#ifndef FAULT
       told = abort
#else
       skip
#endif
    fi;
    yes = 0;
    no = 0
  }
}

proctype Voter(byte self) {
  if
  :: atomic { voted == self -> voted++; yes++ };
     atomic { told != 0 && heard == self -> heard++ }
  :: atomic { voted == self -> voted++; no++ };
     atomic { told == abort && heard == self -> heard++ }
  :: atomic { voted == self -> voted++ };           /* crashes */
     atomic { told == abort && heard == self -> heard++ }
  fi
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Voter(i); i++
    :: else -> break
    od;
    i = 0;
    run Coordinator()
  }
}
