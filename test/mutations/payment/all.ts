import type { Planting } from '../plant.ts'
import { asking } from './asking.ts'
import { gaps } from './gaps.ts'
import { hearing } from './hearing.ts'
import { making } from './making.ts'
import { payingOut } from './paying-out.ts'
import { reading } from './reading.ts'
import { returning } from './returning.ts'

export const payment: Planting = {
  kind: 'payment',
  mutations: { ...making, ...reading, ...returning, ...payingOut, ...hearing, ...asking },
  gaps,
  usually: 2,
  atLeast: { sorts: 25, faults: 80 },
}
