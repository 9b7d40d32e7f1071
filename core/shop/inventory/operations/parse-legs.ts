import type { FieldPath } from '../../../lib/errors/domain-error.ts'
import { type Decimal, parseDecimal } from '../../../lib/money/decimal.ts'
import { inventoryErrors } from '../inventory.errors.ts'
import type { NewLeg, NewOperation, OperationType } from '../inventory.model.ts'
import { QUANTITY_MAX, type RequestedLine } from './ledger.ts'

interface Rule {
  readonly quantities: 'positive' | 'negative' | 'any'
  /** True where each leg names a role: consumed or produced. */
  readonly roles?: true
  /** True where the quantities of each (key, batch) add up to zero. */
  readonly netsToZero?: true
  readonly noteRequired?: true
  readonly takesReserved?: true
}

/** Rules for the legs of each type. */
const rules: Readonly<Record<OperationType, Rule>> = {
  receive: { quantities: 'positive' },
  supplier_return: { quantities: 'negative' },
  transfer: { quantities: 'any', netsToZero: true },
  convert: { quantities: 'positive', roles: true },
  fulfill: { quantities: 'negative', takesReserved: true },
  pos_sale: { quantities: 'negative' },
  customer_return: { quantities: 'positive' },
  adjust: { quantities: 'any', noteRequired: true },
}

/** Returns the batch that a conversion produces. */
const conversionBatchOf = (operationId: string) => `CVT-${operationId}`

/**
 * Parses the legs of an operation into lines and checks the rules of its type. The batch stays null for a line that takes from any batch,
 * and for the destination of such a transfer. Throws `invalid_request`, `unbalanced_operation`.
 */
export function parseLegs(input: NewOperation, operationId: string): RequestedLine[] {
  const rule = rules[input.type]
  if (rule.noteRequired && !input.note?.trim()) throw inventoryErrors.noteMissing({ type: input.type }, { field: ['note'] })
  if (input.reservationId && !rule.takesReserved) throw inventoryErrors.reservationOnlyForFulfil({ field: ['reservationId'] })
  const read = input.legs.map((leg, at) => parseLeg(leg, at, input.type, operationId))
  const openKeys = new Set(read.filter(({ batch, quantity }) => batch === null && quantity < 0n).map(({ key }) => key))
  const lines = read.map((line) =>
    line.batch !== null || line.quantity < 0n || (rule.netsToZero && openKeys.has(line.key)) ? line : { ...line, batch: '' },
  )
  if (rule.roles && new Set(input.legs.map((leg) => leg.role)).size < 2) {
    throw inventoryErrors.conversionRolesMissing({ field: ['legs'] })
  }
  if (rule.netsToZero) assertNetsToZero(lines)
  return lines
}

function parseLeg(leg: NewLeg, at: number, type: OperationType, operationId: string): RequestedLine {
  const place = ['legs', at]
  const rule = rules[type]
  const quantity = parseQuantity(leg.quantity, [...place, 'quantity'])
  if (rule.quantities === 'positive' && quantity < 0n)
    throw inventoryErrors.amountMustBePositive({ type }, { field: [...place, 'quantity'] })
  if (rule.quantities === 'negative' && quantity > 0n)
    throw inventoryErrors.amountMustBeNegative({ type }, { field: [...place, 'quantity'] })
  if (rule.roles && leg.role === undefined) throw inventoryErrors.roleInvalid({ field: [...place, 'role'] })
  if (!rule.roles && leg.role !== undefined) throw inventoryErrors.roleNotExpected({ field: [...place, 'role'] })
  const made = leg.role === 'out'
  if (made && leg.batch !== undefined) throw inventoryErrors.batchNotExpected({ field: [...place, 'batch'] })
  return {
    namespace: leg.namespace,
    key: leg.key,
    batch: made ? conversionBatchOf(operationId) : (leg.batch ?? null),
    quantity: leg.role === 'in' ? -quantity : quantity,
    unitCost: leg.unitCost == null ? null : parseCost(leg.unitCost, [...place, 'unitCost']),
    at,
  }
}

/** Parses a quantity with up to four decimals, neither zero nor above the maximum. Throws `invalid_request`. */
export function parseQuantity(value: number, field: FieldPath): Decimal {
  const quantity = parseDecimal(value)
  if (quantity === null) throw inventoryErrors.numberInvalid({ field })
  if (quantity === 0n) throw inventoryErrors.amountZero({ field })
  if (quantity > QUANTITY_MAX || quantity < -QUANTITY_MAX) throw inventoryErrors.amountTooHigh({ field })
  return quantity
}

function parseCost(value: number, field: FieldPath): Decimal {
  const cost = parseDecimal(value)
  if (cost === null || cost > QUANTITY_MAX) throw inventoryErrors.amountInvalid({ field })
  return cost
}

/** Throws `unbalanced_operation` unless the quantities of each (key, batch) add up to zero. Lines without a batch are added up by key. */
function assertNetsToZero(lines: readonly RequestedLine[]) {
  const groupOf = ({ key, batch }: RequestedLine) => (batch === null ? key : `${key}\n${batch}`)
  const sums = new Map<string, Decimal>()
  for (const line of lines) sums.set(groupOf(line), (sums.get(groupOf(line)) ?? 0n) + line.quantity)
  const unbalanced = lines.filter((line) => sums.get(groupOf(line)) !== 0n)
  if (unbalanced.length === 0) return
  throw inventoryErrors.transferUnbalanced({
    issues: unbalanced.map(({ key, batch, at }) => ({
      field: ['legs', at, 'quantity'],
      message: `Quantities do not add up to zero for key "${key}"${batch === null ? ' where no batch is named' : `, batch "${batch}"`}.`,
    })),
  })
}
