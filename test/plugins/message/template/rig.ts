// @ts-nocheck: its kind has a name where a test says so, and nowhere else
import { AdapterError } from 'serai/message'
import { acceptance } from 'serai/message/acceptance'

export const rig = ({ label }) => ({
  open: ({ connectionId = 'int_rig' } = {}) => ({
    storeId: 'sto_rig',
    connectionId,
    credentials: { token: `${label} ${AdapterError.name} ${acceptance.length}` },
    settings: {},
    fetch: () => Promise.reject(new Error('nobody is called')),
    storage: {},
    log() {},
    now: Date.now,
    signal: AbortSignal.timeout(5_000),
  }),
})
