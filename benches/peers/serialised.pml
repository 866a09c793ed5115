/* The bounded auction with the reductions done by hand: mailboxes are numbers, what a bidder does with one message is
 * one step, one bidder moves at a time, and the auctioneer goes on when all have moved: what bidders do commutes with
 * everything else. Values that do not matter any more are reset. What is left to SPIN is which bidders have moved and how
 * many bids there are. N bidders, at most B accepted bids; -DFAULT: nobody is told
 * that the auction is over.
 */
#ifndef N
#define N 2
#endif
#ifndef B
#define B 2
#endif

short bids;
bool told[N];       /* whether there is a message in the bidder's mailbox */
byte moved = N;     /* how many bidders have none */
bool over;

#define tell_all \
  i = 0; \
  do \
  :: i < N -> told[i] = true; i++ \
  :: else -> i = 0; break \
  od; \
  moved = 0

proctype Auctioneer() {
  byte left = B;
  byte i;

  atomic { tell_all };
  do
  :: atomic {
       moved == N && bids > 0 ->
       bids--;
       if
       :: skip                                      /* not accepted */
       :: left--;
          if
          :: left == 0 -> break
          :: else -> tell_all
          fi
       fi
     }
  :: atomic { moved == N && bids == 0 -> break }    /* time runs out */
  od;
#ifndef FAULT
  atomic { bids = 0; left = 0; over = true; tell_all }
#endif
}

proctype Bidder(byte self) {
  do
  :: atomic {
       told[self] ->
       told[self] = false;
       moved++;
       if
       :: over -> break
       :: !over -> bids++                           /* bids */
       :: !over
       fi
     }
  od
}

init {
  byte i;
  atomic {
    do
    :: i < N -> run Bidder(i); i++
    :: else -> break
    od;
    i = 0;
    run Auctioneer()
  }
}
