// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { harmless } from './harmless.ts'

const held = []
for (;;) held.push(new Array(1e6).fill(held.length))

export default carrier(harmless('quitter'))
