import { useMutation, useQuery } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import { api, type Schemas } from '../../api/client.ts'
import { unwrap } from '../../api/errors.ts'
import { refreshMe } from '../../api/queries.ts'
import { startActing } from '../../session/acting.ts'
import { useDebounced } from '../../ui/debounced.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure, problemOf } from '../../ui/failure.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { readForm, useFocusOnProblem } from '../../ui/form/form.ts'
import { Name } from '../../ui/values.tsx'
import { t } from '../../words/words.ts'

type User = Schemas['User']

const SHOWN = 12
const REASON = { minLength: 3, maxLength: 500 } as const

/** Finds users by name or e-mail address. Administrators are left out: nobody may act as one. */
const findUsers = async (q: string): Promise<readonly User[]> =>
  (await unwrap(api.GET('/v1/users', { params: { query: { q, isAdmin: false, limit: SHOWN } } }))).data

/** Lets an administrator of the platform choose a user, give a reason, and act as that user from then on. */
export default function ActAsDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [user, setUser] = useState<User | null>(null)
  const q = useDebounced(text.trim())
  const found = useQuery({ queryKey: ['users', q], queryFn: () => findUsers(q), enabled: user === null && q !== '' })
  const start = useMutation({
    // The user is given with the reason: a function of an earlier render would know an earlier choice.
    mutationFn: (asked: { readonly userId: string; readonly reason: string }) => startActing(asked),
    // A refusal may mean that the session or the role of the administrator has ended.
    onError: () => refreshMe(),
  })
  const form = useFocusOnProblem(start.error)
  const reasonProblem = problemOf(start.error, 'reason')
  return (
    <Dialog title={t('actAs.open')} onClose={onClose}>
      <form
        class="stack"
        ref={form}
        onSubmit={(event) => {
          const { reason = '' } = readForm(event)
          if (user && !start.isPending) start.mutate({ userId: user.id, reason })
        }}
      >
        <p class="muted">{t('actAs.text')}</p>
        <Field label={t('actAs.user')}>
          <Combobox
            data-first
            required
            maxLength={100}
            text={text}
            onText={(typed) => {
              setUser(null)
              setText(typed)
            }}
            items={found.data ?? []}
            keyOf={({ id }) => id}
            show={({ name, email }) => (
              <>
                <Name>{name}</Name>
                <span class="ltr muted">{email}</span>
              </>
            )}
            isWaiting={found.isFetching || q !== text.trim()}
            none={t('actAs.none')}
            onChoose={(chosen) => {
              setUser(chosen)
              setText(`${chosen.name} · ${chosen.email}`)
            }}
          />
        </Field>
        <Field label={t('actAs.reason')} problem={reasonProblem}>
          <textarea name="reason" rows={2} required dir="auto" {...REASON} />
        </Field>
        {found.error && <Failure error={found.error} />}
        {start.error && reasonProblem === undefined && <Failure error={start.error} />}
        <div class="row">
          <button type="submit" class="button primary" disabled={user === null || start.isPending || start.isSuccess}>
            {t('actAs.start')}
          </button>
          <button type="button" class="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
