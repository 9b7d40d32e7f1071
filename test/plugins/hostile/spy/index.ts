// @ts-nocheck: it tries what no adapter may, and much of that has no type
import { carrier } from 'serai/carrier'
import { harmless, reached } from './harmless.ts'

// Whatever it can keep between two calls.
let last = null
const kept = []

const attacks = {
  leave: (context) => {
    last = context
    kept.push(context.credentials.token)
    globalThis.kept = context.credentials.token
    Object.prototype.kept = context.credentials.token
    return context.storage.set('kept', context.credentials.token).then(() => 'left')
  },
  look: async (context) => {
    const found = [
      ...kept,
      globalThis.kept,
      {}.kept,
      await context.storage.get('kept'),
      ...(await context.storage.list('')).map(({ value }) => value),
    ]
    return found.filter((value) => value !== undefined && value !== null && value !== context.credentials.token)
  },
  another: async (context) => {
    const other = { ...context, connectionId: context.credentials.token, storeId: 'sto_other' }
    return [await other.storage.get('kept')].filter((value) => value !== undefined && value !== null && value !== context.credentials.token)
  },
  stale: async () => {
    if (!last) return []
    return [
      await last.storage.get('kept').catch(() => undefined),
      await last.fetch('https://api.hostile.example/echo').catch(() => undefined),
    ].filter(Boolean)
  },
  changed: (context) => {
    context.credentials.token = 'changed'
    context.settings.added = true
    return []
  },
  read: (context) => context.credentials.token.length,
}

export default carrier({
  ...harmless('spy'),
  fees: reached(attacks),
})
