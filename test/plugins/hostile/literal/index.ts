// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import secret from '/etc/passwd' with { type: 'text' }
import { harmless } from './harmless.ts'

export const stolen = secret

export default carrier(harmless('literal'))
