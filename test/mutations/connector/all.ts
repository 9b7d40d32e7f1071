import type { Planting } from '../plant.ts'
import { callbackFaults } from './callbacks-and-pushes.ts'
import { pageFaults, readFaults } from './read.ts'
import { requestFaults } from './requests.ts'
import { stockFaults } from './stock.ts'
import { authorMistakes } from './woocommerce.ts'

export const connector: Planting = {
  kind: 'connector',
  mutations: { ...readFaults, ...pageFaults, ...callbackFaults, ...requestFaults, ...authorMistakes, ...stockFaults },
  sampleSize: 2,
  atLeast: { sorts: 43, faults: 190 },
}
