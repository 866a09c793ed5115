
'use strict';
{
  const runs = [...document.querySelectorAll('.run[data-steps]')];
  const source = document.querySelector('.source');
  // The states of the state-charts; agents stand in some of them.
  const states = [...document.querySelectorAll('#roles [data-place]')];
  let active = null;
  const setUp = (run) => {
    const count = Number(run.dataset.steps);
    const steps = [...run.querySelectorAll('.step')];
    const rows = [...run.querySelectorAll('.row')];
    const agents = [...run.querySelectorAll('.agent')].map((agent) => [...agent.querySelectorAll('.view')]);
    const listing = run.querySelector('[data-part=listing]');
    if (source) listing.append(source.cloneNode(true));
    const lines = [...listing.querySelectorAll('.line')];
    const at = run.querySelector('.at');
    const sentence = run.querySelector('.sentence');
    const buttons = new Map([...run.querySelectorAll('button')].map((it) => [it.dataset.go, it]));
    let now = count;
    // The names of the agents stay in sight.
    const picture = run.querySelector('[data-part=chart]');
    const heads = picture.querySelector('.heads');
    picture.addEventListener('scroll', () => heads.setAttribute('transform', `translate(0 ${picture.scrollTop})`));
    const into = (box, item, covered = 0) => {
      const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
      if (inner.top < outer.top + covered || inner.bottom > outer.bottom) {
        box.scrollTop += inner.top - outer.top - outer.height / 3;
      }
    };
    const aside = (box, item) => {
      const [outer, inner] = [box.getBoundingClientRect(), item.getBoundingClientRect()];
      // The words to the right of a mark are to be seen, too.
      if (inner.left < outer.left || inner.left + 160 > outer.right) box.scrollLeft += inner.left - outer.left - 64;
    };
    const show = (step) => {
      now = Math.max(0, Math.min(count, step));
      steps.forEach((item, index) => {
        item.classList.toggle('later', index >= now);
        if (index === now - 1) item.setAttribute('aria-current', 'step');
        else item.removeAttribute('aria-current');
      });
      const reached = rows.filter((row) => Number(row.dataset.step) <= now);
      rows.forEach((row) => {
        row.classList.toggle('current', now > 0 && row === reached[reached.length - 1]);
        row.classList.toggle('later', Number(row.dataset.step) > now);
      });
      const places = new Set();
      for (const views of agents) {
        const seen = views.filter((view) => Number(view.dataset.from) <= now);
        if (seen.length > 0) seen[seen.length - 1].dataset.places.split(' ').forEach((it) => places.add(it));
        views.forEach((view) => {
          const is = view === seen[seen.length - 1];
          view.hidden = !is;
          view.classList.toggle('changed', is && now > 0 && Number(view.dataset.from) === now);
        });
      }
      states.forEach((state) => state.classList.toggle('stands', places.has(state.dataset.place)));
      const line = now > 0 ? lines[steps[now - 1].dataset.line - 1] : undefined;
      lines.forEach((other) => other.classList.toggle('here', other === line));
      if (line) into(listing, line);
      at.textContent = now + ' of ' + count;
      if (now === 0) sentence.textContent = 'Before the first step.';
      else sentence.replaceChildren(...steps[now - 1].cloneNode(true).childNodes);
      buttons.get('first').disabled = buttons.get('back').disabled = now === 0;
      buttons.get('last').disabled = buttons.get('on').disabled = now === count;
      if (now > 0) into(steps[now - 1].closest('.scrolled'), steps[now - 1]);
      if (reached.length > 0) {
        const [box, row] = [rows[0].closest('.scrolled'), reached[reached.length - 1]];
        into(box, row, heads.getBoundingClientRect().height);
        aside(box, row.querySelector('.dot, .ask, .move, .clock, .good, .bad') || row);
      }
    };
    const live = () => {
      const words = (list) => list.split(' ').filter((it) => it !== '');
      const { page, text, flags } = document.getElementById('playground').dataset;
      const steps = words(run.dataset.choices).slice(0, now);
      const given = { text, flags, cast: {}, tab: 'step', initial: words(run.dataset.initial).map(Number), steps };
      // Within a script nothing else is special.
      const json = JSON.stringify(given).replaceAll('<', '\\u003c');
      const [before, after] = ['<script type="application/json" id="given">', '<' + '/script>'];
      const whole = page.replace(before + after, () => before + json + after);
      open(URL.createObjectURL(new Blob([whole], { type: 'text/html' })));
    };
    const go = { first: () => show(0), back: () => show(now - 1), on: () => show(now + 1), last: () => show(count), live };
    for (const [what, button] of buttons) button.addEventListener('click', () => { active = it; go[what](); });
    steps.forEach((item, index) => item.addEventListener('click', () => { active = it; show(index + 1); }));
    rows.forEach((row) => row.addEventListener('click', () => { active = it; show(Number(row.dataset.step)); }));
    run.addEventListener('focusin', () => { active = it; });
    const it = { run, go };
    run.classList.add('stepping');
    show(count);
    return it;
  };
  const all = runs.map(setUp);
  active = all[0] || null;
  // The state-charts belong to the run that is stepped through.
  if (active) active.go.last();
  addEventListener('keydown', (event) => {
    if (!active || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const inside = active.run.contains(document.activeElement);
    const keys = { ArrowRight: 'on', ArrowLeft: 'back' };
    if (inside) Object.assign(keys, { ArrowDown: 'on', ArrowUp: 'back', Home: 'first', End: 'last' });
    else if (document.activeElement && document.activeElement !== document.body) return;
    const what = keys[event.key];
    if (!what) return;
    event.preventDefault();
    active.go[what]();
  });
}
