import type { Planting } from '../plant.ts'
import { asking } from './asking.ts'
import { paging, reading } from './reading.ts'
import { telling } from './telling.ts'

export const connector: Planting = {
  kind: 'connector',
  mutations: { ...reading, ...paging, ...telling, ...asking },
  usually: 2,
  atLeast: { sorts: 30, faults: 110 },
}
