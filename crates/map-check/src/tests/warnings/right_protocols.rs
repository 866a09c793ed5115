//! Correct protocols have no warnings.

use super::{assert_silent, warnings_with};

#[test]
fn contract_net() {
    let text = "
        decision propose($task)
        decision better($price, $best)
        cast %contractor = 3
        contractNet[
            agent(!Manager, %manager) = cfp(dig) => agent(_, %contractor) then agent(collect)

            agent(!Manager, %manager, collect) =
                waitfor (
                    bid($price) <= agent($who, %contractor) then agent(collect, $price, $who)
                    or refuse() <= agent(_, %contractor) then agent(collect)
                )
                timeout none() => agent(_, %contractor)

            agent(!Manager, %manager, collect, $best, $leader) =
                waitfor (
                    bid($price) <= agent($who, %contractor)
                    then (
                        $yes = better($price, $best) then agent(collect, $price, $who)
                        or agent(collect, $best, $leader)
                    )
                    or refuse() <= agent(_, %contractor) then agent(collect, $best, $leader)
                )
                timeout (
                    award($leader, $best) => agent(_, %contractor)
                    then (waitfor done() <= agent($leader, %contractor))
                )

            agent($me, %contractor) =
                (waitfor cfp($task) <= agent(_, %manager))
                then (
                    $price = propose($task) then bid($price) => agent(!Manager, %manager)
                    or refuse() => agent(!Manager, %manager)
                )
                then agent(outcome)

            agent($me, %contractor, outcome) =
                waitfor (
                    award($who, _) <= agent(_, %manager) then agent(awarded, $who)
                    or none() <= agent(_, %manager)
                )

            agent($me, %contractor, awarded, $me) = done() => agent(!Manager, %manager)
            agent($me, %contractor, awarded, _) = skip
        ]";
    assert_silent(text);
    assert!(warnings_with("contractor=1", text).is_empty());
}

#[test]
fn two_phase_commit() {
    assert_silent(
        "decision ready()
        commit[
            agent(!Coordinator, %coordinator) = prepare() => agent(_, %worker) then agent(first)
            agent(!Coordinator, %coordinator, first) =
                waitfor (
                    yes() <= agent(!Ann, %worker) then agent(second)
                    or no() <= agent(!Ann, %worker) then abort() => agent(_, %worker)
                )
                timeout (abort() => agent(_, %worker))
            agent(!Coordinator, %coordinator, second) =
                waitfor (
                    yes() <= agent(!Bob, %worker) then commit() => agent(_, %worker)
                    or no() <= agent(!Bob, %worker) then abort() => agent(_, %worker)
                )
                timeout (abort() => agent(_, %worker))

            agent(!Ann, %worker) = (waitfor prepare() <= agent($boss, %coordinator)) then agent(vote, $boss)
            agent(!Ann, %worker, vote, $boss) =
                ($y = ready() then yes() => agent($boss, %coordinator) or no() => agent($boss, %coordinator))
                then (waitfor (commit() <= agent($boss, %coordinator) or abort() <= agent($boss, %coordinator)))

            agent(!Bob, %worker) = (waitfor prepare() <= agent($boss, %coordinator)) then agent(vote, $boss)
            agent(!Bob, %worker, vote, $boss) =
                ($y = ready() then yes() => agent($boss, %coordinator) or no() => agent($boss, %coordinator))
                then (waitfor (commit() <= agent($boss, %coordinator) or abort() <= agent($boss, %coordinator)))
        ]",
    );
}

#[test]
fn a_dutch_auction() {
    assert_silent(
        "decision lower($price) decision accept($price) procedure reserve()
        cast %bidder = 2
        dutch[
            agent(!Seller, %seller) = $price = reserve() then agent(cry, $price)
            agent(!Seller, %seller, cry, $price) =
                price($price) => agent(_, %bidder)
                then (
                    waitfor (mine() <= agent($who, %bidder) then sold($who) => agent(_, %bidder))
                    timeout ($less = lower($price) then agent(cry, $less) or unsold() => agent(_, %bidder))
                )

            agent($me, %bidder) =
                waitfor (
                    price($price) <= agent(_, %seller)
                    then ($yes = accept($price) then mine() => agent(!Seller, %seller) then agent() or agent())
                    or sold(_) <= agent(_, %seller)
                    or unsold() <= agent(_, %seller)
                )
        ]",
    );
}

#[test]
fn a_server_with_a_queue_and_a_poll() {
    assert_silent(
        "decision enough() procedure serve($what)
        cast %client = 3
        service[
            agent(!Server, %server) = agent(loop)
            agent(!Server, %server, loop) =
                waitfor (
                    request($what) <= agent($client, %client)
                    then $answer = serve($what)
                    then reply($answer) => agent($client, %client)
                    then agent(loop)
                )
                timeout agent(drain)
            agent(!Server, %server, drain) =
                goodbye() <= agent(_, %client) then agent(drain)
                or skip

            agent($me, %client) =
                $yes = enough() then goodbye() => agent(!Server, %server)
                or agent(ask)
            agent($me, %client, ask) =
                request(time) => agent(!Server, %server)
                then (waitfor reply(_) <= agent(_, %server))
                then agent()
        ]",
    );
}

#[test]
fn peers_that_elect_one_and_work_side_by_side() {
    assert_silent(
        "decision candidate()
        cast %peer = 3
        election[
            agent($me, %peer) =
                $yes = candidate() then claim() => agent(_, %peer) then (agent(hear) par agent(work))
                or agent(hear)
            agent($me, %peer, hear) =
                waitfor (claim() <= agent($leader, %peer) then follow() => agent($leader, %peer) then agent(hear))
                timeout skip
            agent($me, %peer, work) = waitfor (follow() <= agent(_, %peer) then agent(work)) timeout skip
        ]",
    );
}
