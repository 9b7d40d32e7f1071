import { type Planting, together } from '../plant.ts'
import { asking } from './asking.ts'
import { brands } from './brands.ts'
import { everyday } from './everyday.ts'
import { hearing } from './hearing.ts'
import { making } from './making.ts'
import { payingOut } from './paying-out.ts'
import { reading } from './reading.ts'
import { returning } from './returning.ts'

export const payment: Planting = {
  kind: 'payment',
  mutations: together(making, reading, returning, payingOut, hearing, asking, brands, everyday),
  usually: 2,
  atLeast: { sorts: 27, faults: 200 },
}
