import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { RequestError } from '../../../api/errors.ts'
import { useStore } from '../../../session/store.tsx'
import { describeFailure } from '../../../ui/failure.tsx'
import { Icon } from '../../../ui/icons.tsx'
import { showToast } from '../../../ui/toast.tsx'
import { Code } from '../../../ui/values.tsx'
import { formatNumber, language, t } from '../../../words/words.ts'
import { cancelJob, isUnderWay, type Job, progressOf, useFailedRows, useJobs } from './jobs.ts'

const MOST = 3
const HIDDEN = 'serai.hiddenJobs'
const readHidden = (): readonly string[] => JSON.parse(sessionStorage.getItem(HIDDEN) ?? '[]')

/** Cards of the user's jobs on many orders, also after the page was loaded anew. */
export function JobCards({ onProgress }: { readonly onProgress: () => void }) {
  const [hidden, setHidden] = useState(readHidden)
  const jobs = useJobs(onProgress)
    .filter(({ id }) => !hidden.includes(id))
    .slice(0, MOST)
  const hide = (id: string) => {
    const next = [...hidden, id].slice(-50)
    sessionStorage.setItem(HIDDEN, JSON.stringify(next))
    setHidden(next)
  }
  return (
    <div role="status">
      {jobs.map((job) => (
        <JobCard key={job.id} job={job} onHide={() => hide(job.id)} />
      ))}
    </div>
  )
}

interface JobCardProps {
  readonly job: Job
  readonly onHide: () => void
}

function JobCard({ job, onHide }: JobCardProps) {
  const { storeId } = useStore()
  const [isOpen, setIsOpen] = useState(false)
  const { id, action, total, done, unchanged, pending, failed, hasDocument } = job
  const cancel = () => void cancelJob(storeId, id).catch((error) => showToast(describeFailure(error)))
  return (
    <section class="card job-card" aria-label={t(`bulk.job.${action.type}`, { count: total })}>
      <div class="row">
        <strong>{t(`bulk.job.${action.type}`, { count: total })}</strong>
        {isUnderWay(job) ? (
          <>
            <progress max={total} value={progressOf(job)} aria-label={t('bulk.progress')} />
            <span class="count">{`${formatNumber(progressOf(job))} / ${formatNumber(total)}`}</span>
          </>
        ) : (
          <span class="muted">
            {t('bulk.done', { count: done })}
            {unchanged > 0 && ` · ${t('bulk.unchanged', { count: unchanged })}`}
            {pending > 0 && ` · ${t('bulk.pending', { count: pending })}`}
          </span>
        )}
        {failed > 0 && (
          <button type="button" class="button quiet danger" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {t('bulk.failed', { count: failed })}
          </button>
        )}
        <span class="push" />
        {hasDocument && (
          <a class="button" href={`/v1/orders/bulk/${id}/labels.pdf`} target="_blank" rel="noopener">
            {t('bulk.openLabels')}
          </a>
        )}
        {isUnderWay(job) ? (
          <button type="button" class="button" onClick={cancel}>
            {t('bulk.stop')}
          </button>
        ) : (
          <button type="button" class="button quiet icon" aria-label={t('close')} onClick={onHide}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {isOpen && <FailedOrders job={job} />}
    </section>
  )
}

function FailedOrders({ job: { id, failed } }: { readonly job: Job }) {
  const { storeId } = useStore()
  const rows = useFailedRows(id)
  return (
    <>
      <ul class="stack">
        {rows?.map(({ orderId, reference, error }) => (
          <li key={orderId}>
            <Link href={`/${storeId}/orders/${orderId}`}>
              <Code>{reference ?? orderId}</Code>
            </Link>{' '}
            {error && describeFailure(new RequestError(error.code, error.message, 0))}
          </li>
        ))}
      </ul>
      {rows && failed > rows.length && (
        <a href={`/v1/orders/bulk/${id}/rows/export.csv?status=failed&language=${language.value}`} download>
          {t('bulk.exportFailed', { count: failed })}
        </a>
      )}
    </>
  )
}
