import '../../styles/today.css'
import { Link } from 'wouter-preact'
import { useStore } from '../../session/store.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Moment } from '../../ui/values.tsx'
import { t } from '../../words/words.ts'
import { type Attention, groups, useAttention } from './attention.ts'
import { solvingPath } from './solving-path.ts'

/** Kind that could be counted. */
type Counted = Attention & { readonly count: number }
const isCounted = (row: Attention): row is Counted => row.count !== null

/** Everything that waits for a person, each with the way to the page where it is solved. */
export default function TodayPage() {
  const { data: rows, error, isPending } = useAttention()
  const counted = rows?.filter(isCounted) ?? []
  const isPartial = rows !== undefined && counted.length < rows.length
  return (
    <main class="page today" aria-busy={isPending}>
      <div class="page-head">
        <h1>{t('nav.today')}</h1>
      </div>
      {error && <Failure error={error} />}
      {isPending && <span class="skeleton" />}
      {isPartial && <p class="notice wait">{t('today.partial')}</p>}
      {rows?.length === 0 && <p class="empty">{t('today.empty')}</p>}
      {groups.map((group) => {
        const ofGroup = counted.filter((row) => row.group === group)
        return ofGroup.length > 0 && <Group key={group} name={group} rows={ofGroup} />
      })}
    </main>
  )
}

const Group = ({ name, rows }: { readonly name: Attention['group']; readonly rows: readonly Counted[] }) => (
  <section>
    <h2>{t(`today.group.${name}`)}</h2>
    <ul class="card">
      {rows.map((row) => (
        <li key={row.kind}>
          <Waiting row={row} />
        </li>
      ))}
    </ul>
  </section>
)

function Waiting({ row }: { readonly row: Counted }) {
  const path = solvingPath(useStore(), row)
  const { kind, count, isMore, oldestAt } = row
  const content = (
    <>
      <span class="kind">{t(`today.kind.${kind}`, { count })}</span>
      {isMore && <span class="small muted">{t('today.more')}</span>}
      {oldestAt !== null && (
        <span class="small muted since">
          {t('today.since')} <Moment at={oldestAt} />
        </span>
      )}
    </>
  )
  return path === null ? <div>{content}</div> : <Link href={path}>{content}</Link>
}
