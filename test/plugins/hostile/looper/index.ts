// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { harmless } from './harmless.ts'

for (;;);

export default carrier(harmless('looper'))
