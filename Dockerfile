# buildsearch in a container: not as root, kernels compiled when the image is built. The current folder and the scores
# that are kept are volumes:
#   docker build --build-arg VERSION=0.2.0 -t buildsearch .
#   docker run --rm -v "$PWD:/work" -v buildsearch-cache:/cache buildsearch optimize --budget 4
#   docker run --rm -v "$PWD:/work" -v buildsearch-cache:/cache --user "$(id -u):$(id -g)" buildsearch check
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
# Without the history of git the version has to be told; hatch-vcs reads it here.
ARG VERSION=0.2.0.dev0
ENV SETUPTOOLS_SCM_PRETEND_VERSION_FOR_BUILDSEARCH=${VERSION}
RUN python -m venv /opt/buildsearch \
    && /opt/buildsearch/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt .

FROM python:3.12-slim
RUN useradd --create-home --uid 1000 player \
    && mkdir -p /work /cache /kernels \
    && chown player /work /cache /kernels \
    && chmod a+rwx /work /cache /kernels
COPY --from=build /opt/buildsearch /opt/buildsearch
ENV PATH=/opt/buildsearch/bin:$PATH \
    BUILDSEARCH_CACHE=/cache \
    NUMBA_CACHE_DIR=/kernels \
    # Kernels of any x86-64 or ARM machine, not only of the one that builds the image.
    NUMBA_CPU_NAME=generic
# A number, so that a cluster can see that this is not root.
USER 1000
WORKDIR /work
# What a first run would compile: solving, sampling and ranking. Whoever runs the image with --user may add to it.
RUN umask 000 \
    && buildsearch optimize --budget 2 --no-cache --quiet --out /tmp/first \
    && buildsearch score melee_dg >/dev/null \
    && rm -rf /tmp/first \
    && buildsearch doctor
# All of the folder, not its results/ alone: a volume inside of a folder that is mounted would hide what is written.
VOLUME ["/work", "/cache"]
ENTRYPOINT ["buildsearch"]
CMD ["--help"]
