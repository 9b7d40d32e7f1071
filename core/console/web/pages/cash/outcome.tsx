import { t } from '../../words/words.ts'
import type { Outcome } from './payout/payout-data.ts'

/** Colours of the results of lines: money short is red, money in excess amber. */
const toneOfOutcome = {
  matched: 'ok',
  short: 'bad',
  excess: 'wait',
  unknown: 'wait',
  paid_already: 'over',
  not_delivered: 'wait',
  deducted: 'bad',
  charged: 'bad',
} as const satisfies Readonly<Record<Outcome, string>>

/** Shows the result of comparing a line: a dot and a word. */
export const OutcomeTag = ({ outcome }: { readonly outcome: Outcome }) => (
  <span class={`status ${toneOfOutcome[outcome]}`}>{t(`cash.outcome.${outcome}`)}</span>
)
