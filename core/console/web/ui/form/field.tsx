import { type ComponentChildren, cloneElement, type VNode } from 'preact'
import { useId } from 'preact/hooks'

interface FieldProps {
  readonly label: string
  readonly hint?: string | undefined
  /** Problem of the value, shown below it and read aloud with it. */
  readonly problem?: string | undefined
  /** The control: an `input`, a `select` or a `textarea`. */
  readonly children: VNode<Record<string, unknown>>
}

/** Shows a control with its label, a hint and the problem of its value. */
export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId()
  const note = `${id}-note`
  const control = cloneElement(children, {
    id,
    class: 'input',
    'aria-invalid': problem !== undefined,
    ...((problem ?? hint) !== undefined && { 'aria-describedby': note }),
  })
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control}
      {problem !== undefined ? (
        <p class="problem" id={note} role="alert">
          {problem}
        </p>
      ) : (
        hint !== undefined && (
          <p class="hint" id={note}>
            {hint}
          </p>
        )
      )}
    </div>
  )
}

/** Shows a message above a form: what went wrong as a whole. */
export function FormProblem({ children }: { readonly children: ComponentChildren }) {
  return (
    <p class="notice bad" role="alert">
      {children}
    </p>
  )
}
