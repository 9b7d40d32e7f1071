import { Type as T } from '@sinclair/typebox'
import type { Carrier } from './contract.ts'
import { type CarrierOperation, type CarrierOperationName, carrierOperations } from './operations.ts'

/** The operations that a carrier can serve: a segment whose members it lacks has no route. */
export const operationsOf = (carrier: Carrier) =>
  (Object.entries(carrierOperations) as [CarrierOperationName, CarrierOperation][])
    .filter(
      ([name, { needs }]) =>
        needs.every((member) => carrier[member] !== undefined) && (name !== 'cashConfirm' || carrier.cash?.confirm !== undefined),
    )
    .map(([name, operation]) => [name, withMethod(name, operation, carrier)] as const)

/** The interface lets a carrier answer `list` and `ping` by GET or by POST. */
function withMethod(name: CarrierOperationName, operation: CarrierOperation, { methods }: Carrier): CarrierOperation {
  const chosen = name === 'list' ? methods?.list : name === 'ping' ? methods?.ping : undefined
  if (chosen === undefined || operation.methods.includes(chosen)) return operation
  const { query, ...rest } = operation
  return { ...rest, methods: [chosen], ...(query && { body: T.Object(query.properties, { additionalProperties: false }) }) }
}
