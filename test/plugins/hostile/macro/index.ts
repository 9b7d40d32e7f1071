// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { harmless } from './harmless.ts'
import { run } from './run.ts' with { type: 'macro' }

export const ran = run()

export default carrier(harmless('macro'))
