import { invariant } from '../../lib/invariant.ts'
import { type Candidate, formatPercent } from './candidates.ts'
import type { DispatchRule } from './dispatch.model.ts'
import { SUCCESS_SAMPLE_MIN } from './success.ts'

/** Number of orders that each carrier received under a rule; a choice by share adds to it. */
export type AssignedCounts = Map<string, number>

/** Carriers in order of preference, with the reasons. */
export type RankedCandidates = readonly { readonly candidate: Candidate; readonly reason: string }[]

/** First carrier of a ranking; a plan always has one. */
export const firstCandidateOf = (ranked: RankedCandidates) => invariant(ranked[0], 'A carrier to ask')

type Ranker = (candidates: readonly Candidate[], assigned: AssignedCounts) => RankedCandidates

const priceOf = ({ price }: Candidate) => price ?? Number.POSITIVE_INFINITY
/** Compares by price. `Infinity - Infinity` is NaN, so two unknown prices count as equal. */
const byPrice = (a: Candidate, b: Candidate) => priceOf(a) - priceOf(b) || 0
/** Compares by the lower bound of the success rate; a known rate comes before an unknown one. */
const bySuccess = (a: Candidate, b: Candidate) => (b.success.atLeast ?? -1) - (a.success.atLeast ?? -1)

const priceText = ({ price, connection }: Candidate) =>
  price === null ? 'its price is not known' : `its price is ${price} ${connection.mounted.carrier.currency}`
const successText = ({ success: { rate, atLeast, ended } }: Candidate) =>
  rate === null || atLeast === null
    ? `only ${ended} of its parcels ended there in 180 days, and a rate needs ${SUCCESS_SAMPLE_MIN}`
    : `it delivered ${formatPercent(rate)} of ${ended} there in 180 days, which counts as ${formatPercent(atLeast)}, because few parcels are less certain`

const sortedBy =
  (compare: (a: Candidate, b: Candidate) => number, reasonFor: (candidate: Candidate, at: number) => string): Ranker =>
  (candidates) =>
    candidates
      .map((candidate, at) => ({ candidate, at }))
      .sort((a, b) => compare(a.candidate, b.candidate) || a.at - b.at)
      .map(({ candidate }, at) => ({ candidate, reason: reasonFor(candidate, at) }))

const rankers: Readonly<Record<DispatchRule['choose'], Ranker>> = {
  order: sortedBy(
    () => 0,
    (_, at) => `Number ${at + 1} in the list of the rule.`,
  ),
  success: sortedBy(bySuccess, (candidate) => sentence('By success', successText(candidate))),
  price: sortedBy(byPrice, (candidate) => sentence('By price', priceText(candidate))),
  share: rankByShare,
}

/** Ranks candidates by the criterion of a rule. */
export const rankByRule = (choose: DispatchRule['choose'], candidates: readonly Candidate[], assigned: AssignedCounts) =>
  rankers[choose](candidates, assigned)

/** Ranks candidates without rules: by success, then by price. */
export const rankWithoutRules = sortedBy(
  (a, b) => bySuccess(a, b) || byPrice(a, b),
  (candidate) => sentence('No rules are set: best success, then lowest price', `${successText(candidate)}; ${priceText(candidate)}`),
)

const sentence = (how: string, why: string) => `${how}: ${why}.`

/** Ranks candidates by how far each is below its share of the rule's orders, counting the current order. */
function rankByShare(candidates: readonly Candidate[], assigned: AssignedCounts): RankedCandidates {
  const shares = candidates.reduce((sum, { share }) => sum + share, 0) || 1
  const total = candidates.reduce((sum, { key }) => sum + (assigned.get(key) ?? 0), 0)
  const shortfall = ({ key, share }: Candidate) => (share / shares) * (total + 1) - (assigned.get(key) ?? 0)
  return sortedBy(
    (a, b) => shortfall(b) - shortfall(a),
    ({ key, share }) =>
      sentence(
        'By share',
        `its share is ${formatPercent(share / shares)} and it received ${assigned.get(key) ?? 0} of ${total} orders in 30 days`,
      ),
  )(candidates, assigned)
}
