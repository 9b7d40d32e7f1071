import '../../styles/orders.css'
import '../../styles/send.css'
import { useEffect, useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { useStoreChanges } from '../../api/live.ts'
import { useStore } from '../../session/store.tsx'
import { Failure } from '../../ui/failure.tsx'
import { t } from '../../words/words.ts'
import { JobCards } from '../orders/bulk/job-cards.tsx'
import { isUnderWay, useJobs, useStartJob } from '../orders/bulk/jobs.ts'
import { PlanTable } from './plan-table.tsx'
import { refreshSendPlan, useSendPlan } from './send-data.ts'
import { UnplannedOrders } from './unplanned-orders.tsx'

/** The plan is read anew when a job ends, and not for each step of it. */
const noteProgress = () => {}

/** Shows the confirmed orders with the carrier that each would get, sends them, and prints their labels. */
export default function SendPage() {
  const { storeId, can } = useStore()
  const plan = useSendPlan()
  const isSending = useJobs(noteProgress).some((job) => job.action.type === 'send' && isUnderWay(job))
  const refresh = () => void refreshSendPlan(storeId)
  // A plan asks the carriers for prices, so that it is not read anew for each order that a job sends.
  useStoreChanges(storeId, { topics: ['order'], onChange: () => isSending || refresh() })
  useEffect(() => {
    if (!isSending) refresh()
  }, [isSending])
  const [startedAt, setStartedAt] = useState(0)
  const start = useStartJob({}, () => setStartedAt(Date.now()))
  const planned = plan.data?.orders.filter(({ carrier }) => carrier !== null) ?? []
  const unplanned = plan.data?.orders.filter(({ carrier }) => carrier === null) ?? []
  const send = () => {
    const selection = { ids: new Set(planned.map(({ id }) => id)), isAll: false }
    start.mutate({ action: { type: 'send', print: { paper: 'a6', own: false } }, selection })
  }
  // What has been started stays in the plan until its parcels are made; it is not offered again meanwhile.
  const isStarted = start.isPending || isSending || startedAt > plan.dataUpdatedAt
  return (
    <main class="page" aria-busy={plan.isPending}>
      <div class="page-head">
        <h1>{t('send.title', { count: planned.length })}</h1>
        {can('startOrderJob') && planned.length > 0 && (
          <button type="button" class="button primary" disabled={isStarted} onClick={send}>
            {t('send.sendAndPrint', { count: planned.length })}
          </button>
        )}
      </div>
      <JobCards onProgress={noteProgress} />
      {(plan.error ?? start.error) && <Failure error={plan.error ?? start.error} />}
      {plan.isPending && <span class="skeleton" />}
      {plan.data?.orders.length === 0 && <p class="empty">{t('send.empty')}</p>}
      {plan.data?.isMore && <p class="notice">{t('send.more')}</p>}
      {planned.length > 0 && <PlanTable orders={planned} />}
      {unplanned.length > 0 && <UnplannedOrders orders={unplanned} />}
      {can('listOrders') && (
        <p>
          <Link href={`/${storeId}/orders?status=confirmed&parcelStatus=none`}>{t('send.choose')}</Link>
        </p>
      )}
    </main>
  )
}
