// How far apart two scores are: analysis/score_order.py, line for line. Losses: smaller is better.
const TINY = 1e-12;
const SURE = 4; // analysis/reach.py: so many standard errors must lie between a score and a limit

function makeYardstick({ scale, up, span }, limits) {
  const [low, high] = limits.clip;
  const isOther = scale === "other";
  function plain(score) {
    if (scale === "positive") return Math.log(Math.max(score, TINY));
    if (isOther) return score / span;
    const inside = Math.min(Math.max(score, low), high);
    return Math.log(inside / (1 - inside));
  }
  const loss = (score) => (up ? -plain(score) : plain(score));
  function error(score, its) {
    if (scale === "positive") return its / Math.max(score, TINY);
    if (isOther) return its / span;
    const inside = Math.min(Math.max(score, low), high);
    return its / (inside * (1 - inside));
  }
  /** The score that has a loss. */
  function score(its) {
    const value = up ? -its : its;
    return scale === "positive" ? Math.exp(value) : isOther ? value * span : 1 / (1 + Math.exp(-value));
  }
  const margin = scale === "positive" ? -Math.log(1 - limits.margin) : isOther ? limits.margin : Math.log(limits.odds);
  return {
    loss, error, margin, score,
    viability: (best, other) => (isOther ? Math.max(0, 1 - Math.max(0, other - best)) : Math.exp(-Math.max(0, other - best))),
    factor: (better, worse) => (isOther ? worse - better : Math.exp(worse - better)),
    isClipped: (one) => scale === "probability" && limits.clip.some((end) => Math.abs(one - loss(end)) < 1e-9),
  };
}
