import type { PaymentAdapter } from '../../../../plugins/payment/members.ts'
import type { GatewayEvent } from '../../../../plugins/payment/model.ts'
import { decimalsOf, smallestUnitOfDecimals } from '../../../lib/money/currency.ts'
import type { Decimal } from '../../../lib/money/decimal.ts'
import { paymentErrors } from '../payments.errors.ts'
import type { PaymentRow } from '../payments.model.ts'

/** Returns the number of decimals of amounts at a gateway: 0 if it counts in the major unit, else that of the currency (ISO 4217). */
export const decimalsAtGateway = (unit: 'major' | 'minor', currency: string): number => (unit === 'major' ? 0 : decimalsOf(currency))

/** Converts an exact amount to a gateway's units. Throws `amount_not_payable` if it has more decimals, because nothing is rounded. */
export function toUnits(amount: Decimal, decimals: number): number {
  const step = smallestUnitOfDecimals(decimals)
  if (amount % step !== 0n) throw paymentErrors.tooManyDecimals({ decimals })
  return Number(amount / step)
}

/** Returns the step of amounts in a currency at a gateway. */
export const amountStepAt = ({ unit, steps }: Pick<PaymentAdapter, 'unit' | 'steps'>, currency: string): Decimal =>
  smallestUnitOfDecimals(decimalsAtGateway(unit, currency)) * BigInt(steps?.[currency] ?? 1)

/** Rounds an amount up to the next multiple of a step. */
export const roundUp = (amount: Decimal, step: Decimal): Decimal => ((amount + step - 1n) / step) * step

/** Converts a gateway's units to an exact amount. */
export const fromUnits = (units: number, decimals: number): Decimal => BigInt(units) * smallestUnitOfDecimals(decimals)

/** Returns whether an event's currency differs from the payment's. */
export const isOtherCurrency = ({ currency }: Pick<PaymentRow, 'currency'>, event: Pick<GatewayEvent, 'currency'>): boolean =>
  event.currency !== undefined && event.currency !== currency
