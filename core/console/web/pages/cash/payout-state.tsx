import { t } from '../../words/words.ts'
import type { CarrierPayout } from './cash-data.ts'

const toneOf = { draft: 'wait', confirmed: 'ok', reversed: 'over' } as const

/** Shows the state of a payout: a dot and a word, in the colour of what it means. */
export const PayoutStateTag = ({ state }: Pick<CarrierPayout, 'state'>) => (
  <span class={`status ${toneOf[state]}`}>{t(`cash.payoutState.${state}`)}</span>
)
