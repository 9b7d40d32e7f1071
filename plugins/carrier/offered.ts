import * as kind from '../kind.ts'
import type { Carrier } from './contract.ts'
import { type CarrierOperationName, carrierOperations } from './operations.ts'

/** Whether a carrier can serve an operation: it has the members that the operation needs. */
export const offers = (carrier: Carrier, name: CarrierOperationName): boolean => kind.offers(carrier, carrierOperations[name])

/** The operations that a carrier can serve. */
export const operationsOf = (carrier: Carrier) =>
  (Object.keys(carrierOperations) as CarrierOperationName[]).filter((name) => offers(carrier, name))
