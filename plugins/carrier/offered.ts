import * as kind from '../kind.ts'
import type { Carrier } from './contract.ts'
import { type CarrierOperationName, carrierOperations } from './operations.ts'

/** Returns true if a carrier has all members that an operation needs. */
export const offers = (carrier: Carrier, name: CarrierOperationName): boolean => kind.canServeOperation(carrier, carrierOperations[name])

/** Returns the names of the operations that a carrier can serve. */
export const operationsOf = (carrier: Carrier) =>
  (Object.keys(carrierOperations) as CarrierOperationName[]).filter((name) => offers(carrier, name))
