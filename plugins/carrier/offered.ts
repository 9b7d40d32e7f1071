import type { Carrier } from './contract.ts'
import { type CarrierOperation, type CarrierOperationName, carrierOperations } from './operations.ts'

/** Whether a carrier can serve an operation: it has the members that the operation needs. */
export function offers(carrier: Carrier, name: CarrierOperationName): boolean {
  const { needs }: CarrierOperation = carrierOperations[name]
  return needs.every((member) => carrier[member] !== undefined)
}

/** The operations that a carrier can serve. */
export const operationsOf = (carrier: Carrier) =>
  (Object.keys(carrierOperations) as CarrierOperationName[]).filter((name) => offers(carrier, name))
