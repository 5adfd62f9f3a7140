package dev.execserver.sandbox.tree;

/**
 * The program of the {@link Guardian}, for /bin/sh. Descriptor 0 is the pipe of its server, 3 the server's {@code Ledger}, 4
 * the socket with its locks.
 *
 * <p>For each entry it changes to the parent directory, compares the directory's device and inode, and acts on the name in
 * it. So a directory that is replaced by a link meanwhile leads it nowhere. It removes a placeholder only if it is empty
 * (rmdir, a file of size 0, a {@code commondir} as it was made); one that the user has filled only loses its mark. It removes a folder with its content only if
 * device and inode are those of the entry. It moves a file only within its directory, and makes only a link with the text of
 * the entry. {@code -T} keeps ln and mv from following a link, or going into a directory, of that name.
 */
final class GuardianScript {
    static final int EXIT_NO_TOOLS = 3;

    /**
     * The script. $1 is the prefix of the marks. A line on standard input means an orderly end. Zombies keep their limits;
     * their state tells them apart. The number of rounds is bounded, because a process may be unable to die (state D).
     */
    static final String TEXT = """
            trap '' HUP INT TERM
            command -v grep >/dev/null && command -v rm >/dev/null && command -v stat >/dev/null || exit 3
            prefix=$1
            if read -r farewell; then exit 0; fi
            exec 2>/dev/null </dev/null
            clean=0; round=0
            while [ $clean -lt 2 ] && [ $round -lt 160 ]; do
              round=$((round + 1))
              status=
              for f in $(grep -slE "^Max realtime timeout +$prefix[0-9]{9} " /proc/[0-9]*/limits); do
                status="$status ${f%limits}status"
              done
              pids=
              [ -z "$status" ] || for f in $(grep -sLE '^State:[[:space:]]+[ZX]' $status); do
                p=${f#/proc/}; pids="$pids ${p%/status}"
              done
              if [ -z "$pids" ]; then clean=$((clean + 1)); continue; fi
              clean=0
              kill -KILL $pids
              [ $round -lt 100 ] || sleep 1
            done
            # The locks of the server end: nobody needs its placeholders any more.
            exec 4<&-
            identity() { stat -c %d:%i -- "$1"; }
            decode() { decoded=$(printf '%b.' "$1"); decoded=${decoded%.}; }
            # Known by its identity or, when the kill came in the middle, by the mark and the owner of a placeholder.
            ours() {
              if [ "$object" != - ]; then [ "$(identity "$1")" = "$object" ]; return; fi
              case $(stat -c %a -- "$1") in 1[0-7][0145][0145]) [ -O "$1" ] ;; *) false ;; esac
            }
            # The lock lasts until the name is gone: what a command of another server has found is not taken from it. Before the
            # lock that server could remove the object and make another one, so the name is looked at once more.
            # What the user has put something into is the user's, and loses the mark.
            unused() { ! command -v flock >/dev/null || flock -n 9; }
            stands_for_commondir() {
              [ "$name" = ./commondir ] && [ "$(stat -c %s -- "$name")" = 2 ] && read -r line <"$name" && [ "$line" = . ]
            }
            placeholder() {
              [ ! -L "$name" ] || return
              if [ -d "$name" ]; then
                (exec 8<. && cd -P "$name" && ours . && exec 9<. && unused && [ . -ef "/proc/self/fd/8/$name" ] || exit
                (cd -P /proc/self/fd/8 && rmdir "$name") || [ "$object" = - ] || [ -z "$(ls -A)" ] || chmod -t .)
              elif [ -f "$name" ]; then
                (exec 9<"$name" && unused && ours "$name" && [ /proc/self/fd/9 -ef "$name" ] || exit
                if [ ! -s "$name" ] || stands_for_commondir; then rm -f "$name"
                elif [ "$(stat -L -c %d:%i /proc/self/fd/9)" = "$object" ]; then chmod -t /proc/self/fd/9
                fi)
              fi
            }
            link() {
              if [ -L "$name" ]; then
                [ "$(readlink -n "$name"; echo .)" = "$1." ] && return
                rm -f "$name"
              elif [ -e "$name" ]; then mv -T -n "$name" "$name.blocked-by-sandbox-$$"
              fi
              ln -s -T -- "$1" "$name"
            }
            group() {
              ours "$name" || return
              for child in "$name"/*/*/ "$name"/*/; do rmdir "$child"; done
              rmdir "$name"
            }
            grep '^+' /proc/self/fd/3 | while read -r kind object parent_identity parent name target; do
              decode "$parent"; parent=$decoded
              decode "$name"; name=./$decoded
              cd -P "$parent" && [ "$(identity .)" = "$parent_identity" ] || continue
              case $kind in
                +P) placeholder ;;
                +L) decode "$target"; link "$decoded" ;;
                +G) group ;;
                +F) ! ours "$name" || rm -rf "$name" ;;
              esac
            done
            """;

    private GuardianScript() {}
}
