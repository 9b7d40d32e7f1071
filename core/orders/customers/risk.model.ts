import { type Static, Type as T } from '@sinclair/typebox'
import { Nullable, named, oneOf } from '../../http/schema.ts'

/** Rule of the risk: from so many deliveries on, and with such a share of them that came back. */
const RISK_RULE = { deliveriesMin: 3, shareMin: 0.5 } as const

const rule = `\`high\`: of at least ${RISK_RULE.deliveriesMin} deliveries that ended, ${RISK_RULE.shareMin * 100} % or more came back; \`unknown\`: fewer have ended`

/** Risk that a person refuses a delivery. */
export const DeliveryRisk = named(
  'DeliveryRisk',
  T.Object({
    level: oneOf(['unknown', 'low', 'high'], { description: rule }),
    ended: T.Integer({ minimum: 0, description: 'deliveries that ended: accepted, or come back' }),
    refused: T.Integer({ minimum: 0, description: 'those of them that came back or are on their way back' }),
    refusedShare: Nullable(T.Number({ minimum: 0, maximum: 1, description: 'null before a delivery has ended' })),
  }),
)
/** Type of {@link DeliveryRisk}. */
export type DeliveryRisk = Static<typeof DeliveryRisk>

/** Calculates the risk from the deliveries that a person accepted, and those that came back. */
export function riskOf(accepted: number, refused: number): DeliveryRisk {
  const ended = accepted + refused
  const isKnown = ended >= RISK_RULE.deliveriesMin
  const level = !isKnown ? 'unknown' : refused >= ended * RISK_RULE.shareMin ? 'high' : 'low'
  return { level, ended, refused, refusedShare: ended === 0 ? null : Math.round((refused / ended) * 1000) / 1000 }
}
