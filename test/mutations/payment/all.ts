import { mergeMutations, type Planting } from '../plant.ts'
import { authorMistakes } from './author-mistakes.ts'
import { brandFaults } from './brands.ts'
import { callbackFaults } from './callbacks.ts'
import { createFaults } from './create.ts'
import { payoutFaults } from './payouts.ts'
import { readFaults } from './read.ts'
import { refundFaults } from './refunds.ts'
import { requestFaults } from './requests.ts'

export const payment: Planting = {
  kind: 'payment',
  mutations: mergeMutations(
    createFaults,
    readFaults,
    refundFaults,
    payoutFaults,
    callbackFaults,
    requestFaults,
    brandFaults,
    authorMistakes,
  ),
  sampleSize: 2,
  atLeast: { sorts: 27, faults: 200 },
}
