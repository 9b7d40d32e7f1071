import type { Planting } from '../plant.ts'
import { asking } from './asking.ts'
import { paging, reading } from './reading.ts'
import { telling } from './telling.ts'
import { woocommerce } from './woocommerce.ts'

export const connector: Planting = {
  kind: 'connector',
  mutations: { ...reading, ...paging, ...telling, ...asking, ...woocommerce },
  usually: 2,
  atLeast: { sorts: 40, faults: 180 },
}
