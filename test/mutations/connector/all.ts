import type { Planting } from '../plant.ts'
import { asking } from './asking.ts'
import { paging, reading } from './reading.ts'
import { stock } from './stock.ts'
import { telling } from './telling.ts'
import { woocommerce } from './woocommerce.ts'

export const connector: Planting = {
  kind: 'connector',
  mutations: { ...reading, ...paging, ...telling, ...asking, ...woocommerce, ...stock },
  usually: 2,
  atLeast: { sorts: 43, faults: 190 },
}
