/* The contract net in SPIN: proposals are in a channel, as it matters who has sent them; refusals are a number. N
 * participants; -DFAULT: who was best before is not rejected.
 */
#ifndef N
#define N 2
#endif

mtype = { accept, reject };

bool called;
chan proposals = [N] of { byte };
short refusals;
mtype told[N];      /* in each participant's mailbox */
bool reported;

proctype Initiator() {
  short awaited = N;
  byte best = N;
  byte who = N;

  called = true;
  do
  :: atomic {
       proposals?who ->
       awaited--;
       if
       :: best == N -> best = who
       :: best != N ->
#ifndef FAULT
          told[best] = reject;
#endif
          best = who
       :: best != N -> told[who] = reject
       fi;
       who = N;
       if
       :: awaited == 0 -> break
       :: else
       fi
     }
  :: atomic {
       refusals > 0 ->
       refusals--;
       awaited--;
       if
       :: awaited == 0 -> break
       :: else
       fi
     }
  :: timeout -> break
  od;
  if
  :: best != N -> told[best] = accept; reported
  :: else
  fi
}

proctype Participant(byte self) {
  called;
  if
  :: proposals!self;
     if
     :: atomic { told[self] == accept -> told[self] = 0; reported = true }
     :: atomic { told[self] == reject -> told[self] = 0 }
     fi
  :: refusals++
  :: skip                                           /* stays silent */
  fi
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Participant(i); i++
    :: else -> break
    od;
    i = 0;
    run Initiator()
  }
}
