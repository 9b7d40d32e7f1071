import { eraseBySearch } from '../../data/personal-data/search-person.ts'
import { feature } from '../../feature.ts'
import { type Egress, openEgress } from './egress.ts'
import { deleteExcessTracesAndCalls, TRACE_RETENTION_DAYS } from './traces.ts'

declare module '../../context.ts' {
  interface Services {
    readonly egress: Egress
  }
}

export default feature('egress', {
  async setup({ database, log }) {
    // Uses its own pool: a call to a carrier has a deadline and must not wait behind bulk work.
    const sql = database.pool(3)
    const gateway = openEgress(sql, log)
    const close = async () => {
      await gateway.stop()
      await sql.end({ timeout: 5 })
    }
    return { services: { egress: gateway }, close }
  },
  partitions: [{ table: 'carrier_traces', by: { column: 'id', ids: 'trc' }, weeks: 1, retentionDays: TRACE_RETENTION_DAYS }],
  jobs: { 'traces.deleteExpired': { schedule: '47 * * * *', work: ({ sql }, _, signal) => deleteExcessTracesAndCalls(sql, signal) } },
  personalData: [
    eraseBySearch({
      table: 'carrier_traces',
      owner: 'project',
      key: ['connection_id', 'id'],
      columns: { exchanges: 'json', message: 'text', parcel_ids: 'id' },
      created: 'at',
      about: { exchanges: '[]' },
    }),
  ],
})
