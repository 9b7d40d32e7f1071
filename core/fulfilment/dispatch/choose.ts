import { invariant } from '../../lib/invariant.ts'
import { type Candidate, percent } from './candidates.ts'
import type { Rule } from './dispatch.model.ts'
import { COUNTED_FROM } from './success.ts'

/** What each carrier was given under a rule; a choice by share adds to it. */
export type Given = Map<string, number>

/** In the order in which they are asked, and why. */
export type Ranked = readonly { readonly candidate: Candidate; readonly reason: string }[]

/** Who is asked first: no plan is made where nobody is left to be asked. */
export const firstOf = (ranked: Ranked) => invariant(ranked[0], 'A carrier to ask')

type Ranker = (candidates: readonly Candidate[], given: Given) => Ranked

const priceOf = ({ price }: Candidate) => price ?? Number.POSITIVE_INFINITY
/** Infinity less infinity is no number: two prices that nobody knows are alike. */
const byPrice = (a: Candidate, b: Candidate) => priceOf(a) - priceOf(b) || 0
/** By what each delivers at least; one that is known comes before one that is not. */
const bySuccess = (a: Candidate, b: Candidate) => (b.success.atLeast ?? -1) - (a.success.atLeast ?? -1)

const priced = ({ price, connection }: Candidate) =>
  price === null ? 'what it asks is not known' : `it asks ${price} ${connection.mounted.carrier.currency}`
const rated = ({ success: { rate, atLeast, ended } }: Candidate) =>
  rate === null || atLeast === null
    ? `only ${ended} of its parcels ended there in 180 days, and a rate counts from ${COUNTED_FROM}`
    : `it delivered ${percent(rate)} of ${ended} there in 180 days, which counts as ${percent(atLeast)}, since fewer parcels are less sure`

const sorted =
  (compare: (a: Candidate, b: Candidate) => number, say: (candidate: Candidate, at: number) => string): Ranker =>
  (candidates) =>
    candidates
      .map((candidate, at) => ({ candidate, at }))
      .sort((a, b) => compare(a.candidate, b.candidate) || a.at - b.at)
      .map(({ candidate }, at) => ({ candidate, reason: say(candidate, at) }))

const rankers: Readonly<Record<Rule['choose'], Ranker>> = {
  order: sorted(
    () => 0,
    (_, at) => `Number ${at + 1} of those that the rule names.`,
  ),
  success: sorted(bySuccess, (candidate) => sentence('By success', rated(candidate))),
  price: sorted(byPrice, (candidate) => sentence('By price', priced(candidate))),
  share: byShare,
}

export const rank = (choose: Rule['choose'], candidates: readonly Candidate[], given: Given) => rankers[choose](candidates, given)

/** Without rules: who delivers best there, then who asks least. */
export const rankWithoutRules = sorted(
  (a, b) => bySuccess(a, b) || byPrice(a, b),
  (candidate) => sentence('No rules are set: best success, then least price', `${rated(candidate)}; ${priced(candidate)}`),
)

const sentence = (how: string, why: string) => `${how}: ${why}.`

/** The one that is furthest below its share of all that the rule gave out, this order included. */
function byShare(candidates: readonly Candidate[], given: Given): Ranked {
  const shares = candidates.reduce((sum, { share }) => sum + share, 0) || 1
  const total = candidates.reduce((sum, { key }) => sum + (given.get(key) ?? 0), 0)
  const lack = ({ key, share }: Candidate) => (share / shares) * (total + 1) - (given.get(key) ?? 0)
  return sorted(
    (a, b) => lack(b) - lack(a),
    ({ key, share }) =>
      sentence('By share', `it is to have ${percent(share / shares)} and was given ${given.get(key) ?? 0} of ${total} in 30 days`),
  )(candidates, given)
}
