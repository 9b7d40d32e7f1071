import type { Planting } from '../plant.ts'
import { detailFaults } from './details.ts'
import { readFaults } from './read.ts'
import { requestFaults } from './requests.ts'
import { sendFaults } from './send.ts'

/** Faults that the suite of carriers must catch. Cases that catch faults other than in sending come late in the suite. */
export const carrier: Planting = {
  kind: 'carrier',
  mutations: { ...sendFaults, ...readFaults, ...requestFaults, ...detailFaults },
  isLate: (sort) => !(sort in sendFaults),
  sampleSize: 20,
  atLeast: { sorts: 27, faults: 80 },
}
