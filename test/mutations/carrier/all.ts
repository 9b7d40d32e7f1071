import type { Planting } from '../plant.ts'
import { books } from './books.ts'
import { reading } from './reading.ts'
import { sending } from './sending.ts'
import { wire } from './wire.ts'

/** Every sort of fault that the suite of carriers must catch. What is wrong with reading and asking is looked at late in it. */
export const carrier: Planting = {
  kind: 'carrier',
  mutations: { ...sending, ...reading, ...wire, ...books },
  isLate: (sort) => !(sort in sending),
  usually: 20,
  atLeast: { sorts: 27, faults: 80 },
}
