/* The contract net with the reductions done by hand: the participants answer in the order of their numbers, the initiator
 * takes each answer at once, and who is rejected hears it before the next one answers. Whether the last answer or the
 * deadline ends it makes no difference then. N participants; -DFAULT: who was best before is not rejected.
 */
#ifndef N
#define N 2
#endif

mtype = { propose, refuse, silent, accept, reject };

byte turn;          /* whose answer comes next */
mtype answer = 0;
mtype told = 0;     /* the only message to a participant, */
byte whom = N;      /* and to which */
bool reported;

proctype Initiator() {
  byte best = N;

  do
  :: atomic {
       answer != 0 && told == 0 ->
       if
       :: answer == propose && best == N -> best = turn
       :: answer == propose && best != N ->
#ifndef FAULT
          told = reject;
          whom = best;
#endif
          best = turn
       :: answer == propose && best != N -> told = reject; whom = turn
       :: answer != propose
       fi;
       answer = 0;
       turn++
     }
  :: turn == N && told == 0 -> break
  od;
  if
  :: best != N -> atomic { told = accept; whom = best }; reported
  :: else
  fi
}

proctype Participant(byte self) {
  if
  :: atomic { turn == self && answer == 0 && told == 0 -> answer = propose };
     if
     :: atomic { whom == self && told == accept -> told = 0; whom = N; reported = true }
     :: atomic { whom == self && told == reject -> told = 0; whom = N }
     fi
  :: atomic { turn == self && answer == 0 && told == 0 -> answer = refuse }
  :: atomic { turn == self && answer == 0 && told == 0 -> answer = silent }
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
