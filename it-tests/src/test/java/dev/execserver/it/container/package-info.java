/**
 * Black-box tests of the images, one class per scenario of a container: what a kernel, an engine or an operator can do to the server
 * from outside. Start reading at {@link dev.execserver.it.container.BubblewrapWorksIT}; {@link
 * dev.execserver.it.container.ServerContainer} is the server in its container, {@link dev.execserver.it.container.Policies} has the
 * sandboxes that are asked for, {@link dev.execserver.it.container.Images} says why there are none.
 *
 * <p>Containers bear a label, by which {@code docker/engine.sh clean} removes what a test that was killed has left. Scenarios that
 * exhaust a limit have a container of their own each. Nothing is pulled: the images come from {@code docker/build-images.sh}. Test
 * threads only; the reader threads of the clients are those of the harness.
 */
package dev.execserver.it.container;
