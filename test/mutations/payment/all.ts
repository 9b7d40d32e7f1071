import { type Planting, together } from '../plant.ts'
import { asking } from './asking.ts'
import { brands } from './brands.ts'
import { hearing } from './hearing.ts'
import { making } from './making.ts'
import { payingOut } from './paying-out.ts'
import { reading } from './reading.ts'
import { returning } from './returning.ts'

export const payment: Planting = {
  kind: 'payment',
  mutations: together(making, reading, returning, payingOut, hearing, asking, brands),
  usually: 2,
  atLeast: { sorts: 25, faults: 170 },
}
